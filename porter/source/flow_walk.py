"""Walk a body in order of execution, with the flow of gradients of each name."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from typing import TYPE_CHECKING

from porter.source.flows import (
    COMPUTING,
    CONTAINED,
    GRAPH,
    GROWING,
    LEAF,
    MODULE_MARKS,
    NOTHING,
    PASSING,
    PLAIN,
    UNRECORDED,
    Flow,
    Unit,
    merged,
    root_name,
)

if TYPE_CHECKING:
    from porter.source.recorded import Recorded


class Walk:
    """One walk through a body; with `silent` set, only the names it starts with are followed."""

    def __init__(
        self, recorded: Recorded, unit: Unit, env: dict[str, Flow], *, silent: bool = False
    ) -> None:
        self.recorded = recorded
        self.unit = unit
        self.env = env
        self.silent = silent
        self.stopped = 0

    @property
    def top(self) -> bool:
        return isinstance(self.unit, ast.Module)

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if not self.silent:
            known = self.recorded.before.setdefault(node, {})
            for name, flow in self.env.items():
                known[name] = known.get(name, NOTHING) | flow
            self.recorded.unit_of[node] = self.unit
        match node:
            case ast.Assign():
                flow = self.flow(node.value)
                for target in node.targets:
                    self.bind(target, flow, node.value)
            case ast.AnnAssign() if node.value is not None:
                self.bind(node.target, self.flow(node.value), node.value)
            case ast.AugAssign():
                flow = self.flow(node.value)
                held = self.flow(node.target)
                self.bind(node.target, GRAPH if flow else held, None)
            case ast.For() | ast.AsyncFor():
                before = dict(self.env)
                for _ in range(2):
                    self.bind(node.target, self.flow(node.iter), None)
                    self.block(node.body)
                    self.env = merged(before, self.env)
                self.block(node.orelse)
            case ast.While():
                before = dict(self.env)
                for _ in range(2):
                    self.flow(node.test)
                    self.block(node.body)
                    self.env = merged(before, self.env)
                self.block(node.orelse)
            case ast.If():
                self.flow(node.test)
                before = dict(self.env)
                self.block(node.body)
                after, self.env = self.env, before
                self.block(node.orelse)
                self.env = merged(after, self.env)
            case ast.With() | ast.AsyncWith():
                self.within(node)
            case ast.Try() | ast.TryStar():
                self.block(node.body)
                for handler in node.handlers:
                    self.block(handler.body)
                self.block(node.orelse)
                self.block(node.finalbody)
            case ast.Return():
                if node.value is not None and not self.silent:
                    found = self.recorded.returned[self.unit] | self.flow(node.value)
                    self.recorded.returned[self.unit] = found
            case ast.Expr(value=ast.Yield(value=value)) if value is not None and not self.silent:
                self.recorded.returned[self.unit] |= self.flow(value)
            case ast.Expr():
                self.expression_statement(node.value)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.flow(child)

    def within(self, node: ast.With | ast.AsyncWith) -> None:
        stopped = any(stops(self.recorded, self.unit, item.context_expr) for item in node.items)
        self.stopped += stopped
        for item in node.items:
            if item.optional_vars is not None:
                self.bind(item.optional_vars, NOTHING, None)
        self.block(node.body)
        self.stopped -= stopped

    def expression_statement(self, value: ast.expr) -> None:
        flow = self.flow(value)
        match value:
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                root = root_name(owner)
                given = [*value.args, *(keyword.value for keyword in value.keywords)]
                if name == "requires_grad_" and root is not None:
                    self.env[root] = NOTHING if not flow else self.env.get(root, NOTHING) | LEAF
                elif name == "detach_" and root is not None:
                    self.env[root] = NOTHING
                elif root is not None and (name in GROWING or name.endswith("_")):
                    added = frozenset().union(*map(self.flow, given)) if given else NOTHING
                    if added:
                        kept = added if name in GROWING else GRAPH
                        self.bind(owner, self.env.get(root, NOTHING) | kept, None)

    def bind(self, target: ast.expr, flow: Flow, value: ast.expr | None) -> None:
        """Give what is assigned to its flow; items and attributes add theirs to their owner's."""
        if self.stopped:
            flow = flow & LEAF
        match target:
            case ast.Name():
                if self.top and not self.silent:
                    held = self.recorded.globals.get(target.id, NOTHING)
                    self.recorded.globals[target.id] = held | flow
                self.env[target.id] = flow
            case ast.Tuple() | ast.List():
                parts: list[ast.expr | None] = [None] * len(target.elts)
                if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts):
                    parts = list(value.elts)
                for item, part in zip(target.elts, parts, strict=True):
                    self.bind(item, flow if part is None else self.flow(part), part)
            case ast.Starred():
                self.bind(target.value, flow, None)
            case ast.Attribute(value=owner, attr="requires_grad"):
                root = root_name(owner)
                if root is not None and isinstance(owner, ast.Name):
                    on = not (isinstance(value, ast.Constant) and value.value is False)
                    self.env[root] = self.env.get(root, NOTHING) | LEAF if on else NOTHING
                    if self.top and not self.silent:
                        held = self.recorded.globals.get(root, NOTHING)
                        self.recorded.globals[root] = held | self.env[root]
            case ast.Attribute(value=ast.Name("self"), attr=name):
                self.env[f"self.{name}"] = flow
                if not self.silent:
                    held = self.recorded.attributes.get(name, NOTHING)
                    self.recorded.attributes[name] = held | flow
            case ast.Attribute(attr=name) if name in PLAIN:
                pass
            case ast.Attribute() | ast.Subscript():
                root = root_name(target)
                if root is not None and flow:
                    self.env[root] = self.env.get(root, NOTHING) | flow

    def flow(self, node: ast.expr) -> Flow:
        """Return whether an expression may be a leaf, and whether it may carry a graph."""
        found = self._flow(node)
        return found & LEAF if self.stopped else found

    def _flow(self, node: ast.expr) -> Flow:
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.Compare():
                return NOTHING
            case ast.Name():
                return self.name(node.id)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self.call(node)
            case ast.Subscript() | ast.Starred():
                return self.flow(node.value)
            case ast.NamedExpr():
                flow = self.flow(node.value)
                self.env[node.target.id] = flow
                return flow
            case ast.IfExp():
                return self.flow(node.body) | self.flow(node.orelse)
            case ast.Tuple() | ast.List() | ast.Set():
                return self.any_of(node.elts)
            case ast.Dict():
                return self.any_of(node.values)
            case ast.Lambda():
                return NOTHING
            case ast.DictComp():
                return self.comprehension(node, node.value)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self.comprehension(node, node.elt)
        children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        return GRAPH if self.any_of(children) else NOTHING

    def any_of(self, nodes: Iterable[ast.expr]) -> Flow:
        found = NOTHING
        for node in nodes:
            found |= self.flow(node)
        return found

    def name(self, name: str) -> Flow:
        if name in self.env:
            return self.env[name]
        if self.silent or self.top or name in self.recorded.names.scopes[self.unit].bound:
            return NOTHING
        return self.recorded.globals.get(name, NOTHING)

    def attribute(self, node: ast.Attribute) -> Flow:
        if node.attr in PLAIN:
            return NOTHING
        kind = self.recorded.inference.kind(node.value)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            known = NOTHING if self.silent else self.recorded.attributes.get(node.attr, NOTHING)
            return self.env.get(f"self.{node.attr}", known)
        if kind.name == "module" and not self.silent:
            own = self.recorded.inference.kind(node)
            return NOTHING if own.name in ("module", "int", "float", "bool", "str") else LEAF
        return GRAPH if self.flow(node.value) else NOTHING

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, part: ast.expr
    ) -> Flow:
        outer = dict(self.env)
        for loop in node.generators:
            flow = self.flow(loop.iter)
            for name in ast.walk(loop.target):
                if isinstance(name, ast.Name):
                    self.env[name.id] = flow
        found = self.flow(part)
        self.env = outer
        return found

    def call(self, node: ast.Call) -> Flow:
        given = list(node.args)
        given += [keyword.value for keyword in node.keywords]
        flow = self.any_of(given)
        if not self.silent:
            self._enter(node)
        if any(
            keyword.arg == "requires_grad"
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value is True
            for keyword in node.keywords
        ):
            return NOTHING if self.silent else LEAF
        scope = self.recorded.names.scopes[self.unit]
        qualified = self.recorded.names.qualified(node.func, scope)
        if qualified is not None:
            return self.library(qualified, node, flow)
        if isinstance(node.func, ast.Name):
            return self.function(node.func, flow)
        if isinstance(node.func, ast.Attribute):
            return self.method(node, node.func, flow)
        self.flow(node.func)
        return flow if self.silent else flow | GRAPH

    def library(self, name: str, node: ast.Call, flow: Flow) -> Flow:
        entry = self.recorded.program.mapping.find(name)
        if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return NOTHING if self.silent else LEAF
        if name == "torch.autograd.grad":
            return flow if any(k.arg == "create_graph" for k in node.keywords) else NOTHING
        if name.startswith(("torch.optim.", "numpy.")) or name in ("torch.tensor", "torch.no_grad"):
            return NOTHING
        if entry is not None and entry.kind == "module":
            return NOTHING
        if name in self.recorded.program.functions:
            return flow if self.silent else flow | GRAPH
        return GRAPH if flow else NOTHING

    def function(self, func: ast.Name, flow: Flow) -> Flow:
        name = func.id
        if name in self.recorded.functions:
            inner = NOTHING if self.silent else self._result(name)
            return (
                (GRAPH if flow else NOTHING) | inner if not self._hands_on(name) else flow | inner
            )
        scope = self.recorded.names.scopes[self.unit]
        qualified = self.recorded.program.reference(func, scope, self.recorded.names)
        if qualified in self.recorded.program.classes:
            return flow
        if hasattr(builtins, name) and not self._is_bound(name):
            if name in PASSING:
                return GRAPH if flow and name == "sum" else flow
            return GRAPH if flow and name in COMPUTING else NOTHING
        if self.silent:
            return GRAPH if flow else NOTHING
        return GRAPH

    def _is_bound(self, name: str) -> bool:
        scopes = self.recorded.names
        return name in scopes.scopes[self.unit].bound or name in scopes.top.bound

    def _hands_on(self, name: str) -> bool:
        return all(self.recorded.returned[node] >= LEAF for node in self.recorded.functions[name])

    def _result(self, name: str) -> Flow:
        found = NOTHING
        for node in self.recorded.functions[name]:
            found |= self.recorded.returned[node]
        return found

    def method(self, node: ast.Call, func: ast.Attribute, flow: Flow) -> Flow:
        name = func.attr
        owner = self.flow(func.value)
        kind = self.recorded.inference.kind(func.value)
        if name == "requires_grad_":
            off = [*node.args, *(keyword.value for keyword in node.keywords)]
            if off and isinstance(off[0], ast.Constant) and off[0].value is False:
                return NOTHING
            return NOTHING if self.silent else LEAF
        if name in ("parameters", "named_parameters"):
            return NOTHING if self.silent else LEAF
        if name in UNRECORDED:
            return NOTHING
        if name in CONTAINED and not self._is_module(func.value):
            return owner | flow
        if name in self.recorded.functions and kind.name != "tensor":
            inner = NOTHING if self.silent else self._result(name)
            return (GRAPH if flow or owner else NOTHING) | inner
        if owner or flow:
            return GRAPH
        if self.silent:
            return NOTHING
        held = isinstance(func.value, ast.Name) and func.value.id == "self"
        if kind.name == "module" or held:
            return GRAPH
        return GRAPH if self._is_module(func.value) and name not in MODULE_MARKS else NOTHING

    def _is_module(self, node: ast.expr) -> bool:
        return ast.unparse(node) in self.recorded.modules

    def _enter(self, node: ast.Call) -> None:
        """Tell the functions of the module what a call gives to their parameters."""
        match node.func:
            case ast.Name(name) if name in self.recorded.functions:
                skipped = 0
            case ast.Attribute(attr=name) if name in self.recorded.functions:
                skipped = 1
            case _:
                return
        for function in self.recorded.functions[name]:
            parameters = [item.arg for item in function.args.posonlyargs + function.args.args]
            if skipped and not (parameters and parameters[0] in ("self", "cls")):
                continue
            given: list[tuple[str, ast.expr]] = list(
                zip(parameters[skipped:], node.args, strict=False)
            )
            given += [(k.arg, k.value) for k in node.keywords if k.arg in parameters and k.arg]
            incoming = self.recorded.incoming[function]
            for parameter, value in given:
                flow = self.flow(value)
                if flow:
                    incoming[parameter] = incoming.get(parameter, NOTHING) | flow


def stops(recorded: Recorded, unit: Unit, expression: ast.expr) -> bool:
    """Tell whether nothing is recorded within `with expression:`."""
    call = expression if isinstance(expression, ast.Call) else None
    callee = expression if call is None else call.func
    scope = recorded.names.scopes[unit]
    qualified = recorded.names.qualified(callee, scope)
    entry = recorded.program.mapping.find(qualified) if qualified else None
    if entry is None or entry.kind != "context" or not entry.drop:
        return False
    if entry.overloads[0].result == "recording":
        mode = call.args[0] if call is not None and call.args else None
        return isinstance(mode, ast.Constant) and mode.value is False
    return entry.overloads[0].result == "stopped"
