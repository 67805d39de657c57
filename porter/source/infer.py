"""Infer the kind of every expression of a function by walking it in order of execution."""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.source.annotations import annotated
from porter.source.call_kinds import CallKinds
from porter.source.kinds import (
    ASSUMED_TENSOR,
    BOOL,
    DEVICE,
    DICT,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Kind,
    join,
    tuple_of,
)
from porter.source.names import Names, Scope
from porter.source.program import ClassInfo, FunctionInfo, Program

LITERALS = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE}


class Inference:
    """Kinds of all expressions of a program, worked out function by function on demand."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds: dict[ast.AST, Kind] = {}
        self.kept: dict[str, dict[str, Kind]] = {}
        self._returns: dict[ast.AST, Kind] = {}
        self._attributes: dict[str, dict[str, Kind]] = {}
        self._running: set[ast.AST] = set()

    def kind(self, node: ast.AST) -> Kind:
        """Return the kind of an expression of a function that was run."""
        return self.kinds.get(node, UNKNOWN)

    def run_all(self) -> None:
        """Run every function, method and module body of the program."""
        for names in self.program.names.values():
            FunctionWalk(self, names, names.top, None).body(names.module.tree.body)
        for function in self.program.functions.values():
            self.returns(function)
        for info in self.program.classes.values():
            FunctionWalk(self, info.names, info.scope, info).body(
                [s for s in info.node.body if not isinstance(s, ast.FunctionDef | ast.ClassDef)]
            )
            for name, node in info.methods.items():
                self.returns(FunctionInfo(f"{info.qualified}.{name}", node, info.names, info))

    def returns(self, function: FunctionInfo) -> Kind:
        """Return the kind that a function returns; unknown while it is being worked out."""
        node = function.node
        if node in self._returns:
            return self._returns[node]
        if node in self._running:
            return UNKNOWN
        self._running.add(node)
        walk = FunctionWalk(self, function.names, function.names.scopes[node], function.owner)
        walk.bind_parameters(node)
        walk.body(node.body)
        self._running.discard(node)
        result = walk.returned if walk.returned is not None else NONE
        if result.name == "unknown" and node.returns is not None:
            result = annotated(node.returns, walk.names.top, walk.names, self.program)
        self._returns[node] = result
        return result

    def attributes(self, qualified: str) -> dict[str, Kind]:
        """Return the kinds of a class's attributes, from its constructor and its class body."""
        if qualified in self._attributes:
            return self._attributes[qualified]
        found: dict[str, Kind] = {}
        self._attributes[qualified] = found
        for ancestor in reversed(self.program.ancestry(qualified)):
            info = self.program.classes.get(ancestor)
            if info is None:
                continue
            for statement in info.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    found[statement.target.id] = annotated(
                        statement.annotation, info.names.top, info.names, self.program
                    )
            for name, method in info.methods.items():
                if any(
                    isinstance(d, ast.Name) and d.id == "property" for d in method.decorator_list
                ):
                    found[name] = self.returns(
                        FunctionInfo(f"{ancestor}.{name}", method, info.names, info)
                    )
            if "__init__" in info.methods:
                node = info.methods["__init__"]
                walk = FunctionWalk(self, info.names, info.names.scopes[node], info)
                walk.own = found
                walk.bind_parameters(node)
                walk.body(node.body)
        return found


class FunctionWalk(CallKinds):
    """One walk through one body: an environment of names, and attributes of `self`."""

    def __init__(
        self, inference: Inference, names: Names, scope: Scope, owner: ClassInfo | None
    ) -> None:
        super().__init__(inference, names, scope, owner)
        self.own: dict[str, Kind] | None = None
        self.returned: Kind | None = None

    def bind_parameters(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Give each parameter the kind of its annotation or default, or a guess marked unsure."""
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
        defaults += arguments.defaults
        pairs = [
            *zip(plain, defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        autograd = self.owner is not None and self.program.is_autograd(self.owner.qualified)
        is_forward = self.owner is not None and (
            node.name == "forward" or (autograd and node.name == "backward")
        )
        static = any(
            isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list
        )
        for position, (argument, default) in enumerate(pairs):
            if position == 0 and autograd and self.owner is not None:
                self.env[argument.arg] = Kind("context", cls=self.owner.qualified)
                continue
            if position == 0 and self.owner is not None and not static:
                self.env[argument.arg] = Kind("module", cls=self.owner.qualified)
                continue
            kind = UNKNOWN
            if argument.annotation is not None:
                kind = annotated(argument.annotation, self.names.top, self.names, self.program)
            literal = _literal(default)
            if kind.name == "unknown" and argument.annotation is None:
                if literal is not None and literal.name != "none":
                    kind = literal
                elif is_forward:
                    kind = ASSUMED_TENSOR
                elif argument.arg == "config":
                    kind = Kind("config")
                elif argument.arg == "device":
                    kind = DEVICE
            if literal is not None and literal.name == "none" and kind.name != "unknown":
                kind = replace(kind, optional=True)
            self.env[argument.arg] = kind
            if default is not None:
                self.infer(default)
        if arguments.vararg is not None:
            self.env[arguments.vararg.arg] = Kind("tuple")
        if arguments.kwarg is not None:
            self.env[arguments.kwarg.arg] = DICT

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Run one statement."""
        match node:
            case ast.Assign():
                kind = self.infer(node.value)
                for target in node.targets:
                    self.assign(target, kind)
            case ast.AnnAssign():
                kind = self.infer(node.value) if node.value is not None else UNKNOWN
                if kind.name == "unknown":
                    kind = annotated(node.annotation, self.names.top, self.names, self.program)
                self.assign(node.target, kind)
            case ast.AugAssign():
                kind = self.binary(self.infer(node.target), self.infer(node.value))
                self.assign(node.target, kind)
            case ast.Return():
                kind = self.infer(node.value) if node.value is not None else NONE
                self.returned = kind if self.returned is None else join(self.returned, kind)
            case ast.If():
                self.branches(node)
            case ast.For() | ast.AsyncFor():
                element = self.element(self.infer(node.iter))
                before = dict(self.env)
                for _ in range(2):
                    self.assign(node.target, element)
                    self.body(node.body)
                    self.env = merge(before, self.env)
                self.body(node.orelse)
            case ast.While():
                before = dict(self.env)
                for _ in range(2):
                    self.infer(node.test)
                    self.body(node.body)
                    self.env = merge(before, self.env)
                self.body(node.orelse)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    kind = self.infer(item.context_expr)
                    if item.optional_vars is not None:
                        self.assign(item.optional_vars, kind)
                self.body(node.body)
            case ast.Try() | ast.TryStar():
                self.body(node.body)
                for handler in node.handlers:
                    self.body(handler.body)
                self.body(node.orelse)
                self.body(node.finalbody)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.nested(node)
            case ast.ClassDef():
                pass
            case ast.Match():
                self.infer(node.subject)
                for case in node.cases:
                    self.body(case.body)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.infer(child)

    def nested(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Run a function inside a function with what is known around it."""
        self.env[node.name] = Kind("function")
        if node not in self.names.scopes or self.names.scopes[node].parent is self.names.top:
            return
        walk = FunctionWalk(self.inference, self.names, self.names.scopes[node], None)
        walk.env = dict(self.env)
        walk.bind_parameters(node)
        walk.body(node.body)

    def branches(self, node: ast.If) -> None:
        """Run both branches; `x is None` tests narrow what x is in each."""
        self.infer(node.test)
        before = dict(self.env)
        self.narrow(node.test, True)
        self.body(node.body)
        after_body = self.env
        self.env = dict(before)
        self.narrow(node.test, False)
        self.body(node.orelse)
        if _leaves(node.body):
            return
        if node.orelse and _leaves(node.orelse):
            self.env = after_body
            return
        self.env = merge(after_body, self.env)

    def narrow(self, test: ast.expr, holds: bool) -> None:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and holds:
            for value in test.values:
                self.narrow(value, True)
            return
        if not (
            isinstance(test, ast.Compare)
            and isinstance(test.left, ast.Name)
            and isinstance(test.ops[0], ast.Is | ast.IsNot)
            and isinstance(test.comparators[0], ast.Constant)
            and test.comparators[0].value is None
        ):
            return
        is_none = isinstance(test.ops[0], ast.Is) == holds
        kind = self.env.get(test.left.id, UNKNOWN)
        if is_none:
            self.env[test.left.id] = NONE
        elif kind.name != "unknown":
            self.env[test.left.id] = kind.required

    def assign(self, target: ast.expr, kind: Kind) -> None:
        """Bind a target to a kind, through unpacking and attributes of self."""
        self.kinds[target] = kind
        if isinstance(target, ast.Name):
            self.env[target.id] = kind
        elif isinstance(target, ast.Tuple | ast.List):
            self.unpack(target, kind)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, kind)
        elif isinstance(target, ast.Attribute):
            value = self.infer(target.value)
            if value.name == "context" and value.cls is not None:
                kept = self.inference.kept.setdefault(value.cls, {})
                kept[target.attr] = join(kept.get(target.attr, kind), kind)
            if (
                self.own is not None
                and isinstance(target.value, ast.Name)
                and target.value.id == "self"
            ):
                known = self.own.get(target.attr)
                self.own[target.attr] = kind if known is None else join(known, kind)
        elif isinstance(target, ast.Subscript):
            self.infer(target.value)
            self.infer(target.slice)

    def unpack(self, target: ast.Tuple | ast.List, kind: Kind) -> None:
        starred = [i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
        if kind.items is not None and not starred and len(kind.items) == len(target.elts):
            for item, inner in zip(target.elts, kind.items, strict=True):
                self.assign(item, inner)
            return
        element = self.element(kind)
        for item in target.elts:
            rest = kind if kind.name == "shape" else Kind("list", element=element)
            self.assign(item, rest if isinstance(item, ast.Starred) else element)


def merge(left: dict[str, Kind], right: dict[str, Kind]) -> dict[str, Kind]:
    """Join two environments; a name that only one has keeps its kind."""
    joined = dict(left)
    for name, kind in right.items():
        joined[name] = join(left[name], kind) if name in left else kind
    return joined


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _literal(node: ast.expr | None) -> Kind | None:
    if isinstance(node, ast.Constant):
        return LITERALS.get(type(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return LITERALS.get(type(node.operand.value))
    if isinstance(node, ast.Tuple) and node.elts:
        return tuple_of(*(_literal(item) or UNKNOWN for item in node.elts))
    return None
