"""Walk one body of statements in order of execution, with what is known of each name."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from porter.source.kinds import (
    ASSUMED_TENSOR,
    NONE,
    NUMBERS,
    UNKNOWN,
    Kind,
    elements,
    join,
    list_of,
    tuple_of,
)
from porter.source.names import Names, Scope
from porter.source.narrowing import cannot_be, narrowed
from porter.source.parameters import ParameterKinds
from porter.source.program import ClassInfo

if TYPE_CHECKING:
    from porter.source.infer import Inference


class FunctionWalk(ParameterKinds):
    """One walk through one body: an environment of names, and attributes of `self`."""

    def __init__(
        self, inference: Inference, names: Names, scope: Scope, owner: ClassInfo | None
    ) -> None:
        super().__init__(inference, names, scope, owner)
        self.own: dict[str, Kind] | None = None
        self.returned: Kind | None = None

    @property
    def result(self) -> Kind:
        """The kind of what a call of the function gives."""
        if self.yielded is not None:
            return list_of(self.yielded)
        return self.returned if self.returned is not None else NONE

    def one_of(self, kind: Kind) -> Kind:
        """Join one more return. Where `return_dict` asks for a tuple, the result is named else."""
        held = self.returned
        if held is None or held == kind:
            return kind
        named = [item for item in (held, kind) if item.name == "output"]
        if "return_dict" in self.env and len(named) == 1:
            return named[0]
        return join(held, kind)

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
                    kind = self.inference.promised(node.annotation, self.names)
                self.assign(node.target, kind)
            case ast.AugAssign():
                kind = self.binary(node.op, self.infer(node.target), self.infer(node.value))
                updated = self.kinds[node.target]
                self.assign(node.target, kind)
                if updated.name in NUMBERS:
                    # No tensor is updated, though one stands there from now on.
                    self.kinds[node.target] = updated
            case ast.Return():
                kind = self.infer(node.value) if node.value is not None else NONE
                self.returned = self.one_of(kind)
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
            case ast.Assert():
                self.infer(node.test)
                self.narrow(node.test, True)
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
        if node not in self.names.scopes or self.names.scopes[node].parent is self.names.top:
            return
        walk = FunctionWalk(self.inference, self.names, self.names.scopes[node], None)
        walk.env = dict(self.env)
        walk.bind_parameters(node)
        walk.body(node.body)
        result = walk.result
        if result.name == "unknown" and node.returns is not None:
            result = self.inference.promised(node.returns, self.names)
        name = self.inference.keep(self.names.module.name, node, result)
        self.env[node.name] = Kind("function", cls=name)

    def branches(self, node: ast.If) -> None:
        """Run both branches; what the condition says of a name holds in each."""
        self.infer(node.test)
        before = dict(self.env)
        settled = self.narrow(node.test, True)
        self.body(node.body)
        after_body = self.env
        self.env = dict(before)
        otherwise = self.narrow(node.test, False)
        self.body(node.orelse)
        if _leaves(node.body) or self.never(node.test, True, before):
            return
        if (node.orelse and _leaves(node.orelse)) or self.never(node.test, False, before):
            self.env = after_body
            return
        merged = merge(after_body, self.env)
        for name in {*settled, *otherwise}:
            untouched = after_body.get(name) is settled.get(name, before.get(name)) and (
                self.env.get(name) is otherwise.get(name, before.get(name))
            )
            if untouched and name in before:
                merged[name] = before[name]
        self.env = merged

    def narrow(self, test: ast.expr, holds: bool) -> dict[str, Kind]:
        """Give names the kinds that a condition tells of them; returns these kinds."""
        told: dict[str, Kind] = {}
        for name, kind in narrowed(test, holds, self.local, self.called_name, self.instance):
            if name in self.env:
                # A kind of its own, so that it is seen whether the name was bound again.
                told[name] = self.env[name] = replace(kind)
        return told

    def never(self, test: ast.expr, holds: bool, env: dict[str, Kind]) -> bool:
        """Tell whether a condition cannot come out this way: `x is None` of what is None."""
        return cannot_be(test, holds, lambda name: env.get(name, UNKNOWN))

    def local(self, name: str) -> Kind:
        return self.env.get(name, UNKNOWN)

    def called_name(self, node: ast.expr) -> str | None:
        """Return the qualified name of an expression, plain for a builtin."""
        plain = node.id if isinstance(node, ast.Name) else None
        return self.inference.qualified(node, self.scope, self.names) or plain

    def instance(self, name: str) -> Kind:
        """Return the kind of an instance of a class, named as `called_name` does.

        Of "*Norm*" it is the mapped module with that text in its name that the source uses, where
        there is one, or all have the same weights, and no class of the source has such a name.
        """
        if name.startswith("*"):
            return self._like(name.strip("*"))
        own = f"{self.names.module.name}.{name}"
        cls = own if own in self.program.classes else name
        if self.program.is_module(cls):
            return Kind("module", cls=cls)
        if not self.program.declared_fields(cls):
            return UNKNOWN
        # Which fields are None is not known; the first is what the model is for.
        first, *others = self.program.declared_fields(cls)
        known = (first, replace(ASSUMED_TENSOR, optional=True))
        fields = (known, *((name, replace(UNKNOWN, optional=True)) for name in others))
        return Kind("output", cls=cls, fields=fields)

    def _like(self, text: str) -> Kind:
        if any(text in cls.rpartition(".")[2] for cls in self.program.classes):
            return UNKNOWN
        found = [
            entry
            for entry in self.program.mapping.entries.values()
            if entry.kind == "module"
            and text in entry.name.rpartition(".")[2]
            # Not BatchNorm2d in LazyBatchNorm2d.
            and any(
                re.search(rf"\b{entry.name.rpartition('.')[2]}\b", names.module.text)
                for names in self.program.names.values()
            )
        ]
        alike = found and all(dict(entry.weights) == dict(found[0].weights) for entry in found)
        return Kind("module", cls=found[0].name) if alike else UNKNOWN

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
                self.inference.stored.add(self.inference.unit, (value.cls, target.attr), kind)
            elif isinstance(target.value, ast.Name) and target.value.id == "self":
                self.store(target.attr, kind)
            elif isinstance(target.value, ast.Name) and value.name == "output":
                fields = dict(value.fields) | {target.attr: kind}
                self.env[target.value.id] = replace(value, fields=tuple(fields.items()))
        elif isinstance(target, ast.Subscript):
            container = self.infer(target.value)
            self.infer(target.slice)
            if container.name in ("dict", "list"):
                self.put(target.value, container, kind)

    def store(self, name: str, kind: Kind) -> None:
        """Remember an attribute of `self`: of the constructor at once, else for the next walk."""
        if self.own is not None:
            known = self.own.get(name)
            self.own[name] = kind if known is None else join(known, kind)
        elif self.owner is not None:
            self.inference.stored.add(self.inference.unit, (self.owner.qualified, name), kind)

    def put(self, holder: ast.expr, container: Kind, kind: Kind) -> None:
        """Remember that a container holds one more value of a kind."""
        held = elements(container)
        joined = kind if held is None else join(held, kind)
        changed = replace(container, items=None, fields=(), element=joined)
        if isinstance(holder, ast.Name) and holder.id in self.env:
            self.env[holder.id] = changed
        elif isinstance(holder, ast.Attribute) and ast.unparse(holder.value) == "self":
            self.store(holder.attr, changed)

    def unpack(self, target: ast.Tuple | ast.List, kind: Kind) -> None:
        if kind.name == "output" and self.program.is_named_tuple(kind.cls or ""):
            kind = tuple_of(*(part for _, part in kind.fields))
        starred = [i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
        if kind.items is not None and not starred and len(kind.items) == len(target.elts):
            for item, inner in zip(target.elts, kind.items, strict=True):
                self.assign(item, inner)
            return
        element = self.element(kind)
        if kind.items is not None and len(starred) == 1 and len(kind.items) >= len(target.elts) - 1:
            first, last = starred[0], len(target.elts) - starred[0] - 1
            parts = [*kind.items[:first], None, *kind.items[len(kind.items) - last :]]
            for item, part in zip(target.elts, parts, strict=True):
                middle = kind.items[first : len(kind.items) - last]
                self.assign(item, Kind("list", items=middle) if part is None else part)
            return
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
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If) and last.orelse:
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)
