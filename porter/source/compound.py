"""Infer the kinds of displays, comprehensions and conditions from their parts."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from porter.source.kinds import (
    NONE,
    OBJECT,
    SHAPE,
    STR,
    UNKNOWN,
    Kind,
    elements,
    is_shape,
    join,
    tuple_of,
)
from porter.source.names import Names, Scope
from porter.source.program import ClassInfo

if TYPE_CHECKING:
    from porter.source.infer import Inference


class CompoundKinds:
    """The part of a walk that puts kinds together; `env` holds the kinds of local names."""

    def __init__(
        self, inference: Inference, names: Names, scope: Scope, owner: ClassInfo | None
    ) -> None:
        self.inference = inference
        self.program = inference.program
        self.kinds = inference.kinds
        self.names = names
        self.scope = scope
        self.owner = owner
        self.env: dict[str, Kind] = {}
        self.yielded: Kind | None = None

    def assign(self, target: ast.expr, kind: Kind) -> None:
        raise NotImplementedError

    def narrow(self, test: ast.expr, holds: bool) -> dict[str, Kind]:
        raise NotImplementedError

    def never(self, test: ast.expr, holds: bool, env: dict[str, Kind]) -> bool:
        raise NotImplementedError

    def infer(self, node: ast.expr) -> Kind:
        raise NotImplementedError

    def display(self, parts: list[ast.expr]) -> Kind:
        kinds = [self.infer(item) for item in parts]
        if any(isinstance(item, ast.Starred) for item in parts):
            spread = [
                is_shape(kind) if isinstance(item, ast.Starred) else kind.name == "int"
                for item, kind in zip(parts, kinds, strict=True)
            ]
            held = [
                self.element(kind) if isinstance(item, ast.Starred) else kind
                for item, kind in zip(parts, kinds, strict=True)
            ]
            return SHAPE if all(spread) else Kind("tuple", element=reduce(join, held))
        return tuple_of(*kinds)

    def boolean(self, node: ast.BoolOp) -> Kind:
        """Return the kind of `and` or `or`: each part is read where those before allow it."""
        before = dict(self.env)
        told: dict[str, Kind] = {}
        kinds: list[Kind] = []
        for value in node.values:
            kinds.append(self.infer(value))
            told |= self.narrow(value, isinstance(node.op, ast.And))
        self.forget(told, before)
        first = kinds[0].required if isinstance(node.op, ast.Or) else kinds[0]
        return reduce(join, kinds[1:], first)

    def conditional(self, node: ast.IfExp) -> Kind:
        """Return the kind of `a if test else b`: what the test says of a name holds in each."""
        self.infer(node.test)
        before = dict(self.env)
        told = self.narrow(node.test, True)
        body = self.infer(node.body)
        self.forget(told, before)
        told = self.narrow(node.test, False)
        otherwise = self.infer(node.orelse)
        self.forget(told, before)
        if self.never(node.test, True, before):
            return otherwise
        return body if self.never(node.test, False, before) else join(body, otherwise)

    def forget(self, told: dict[str, Kind], before: dict[str, Kind]) -> None:
        """Take back what a condition told of names that were not bound since."""
        for name, kind in told.items():
            if self.env.get(name) is kind:
                self.env[name] = before[name]

    def given(self, node: ast.Yield | ast.YieldFrom) -> Kind:
        """Remember what a generator gives."""
        kind = self.infer(node.value) if node.value is not None else NONE
        kind = self.element(kind) if isinstance(node, ast.YieldFrom) else kind
        self.yielded = kind if self.yielded is None else join(self.yielded, kind)
        return UNKNOWN

    def comprehension(
        self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
    ) -> Kind:
        """Return the kind of a comprehension; its targets are names of its own."""
        outside = dict(self.env)
        for generator in node.generators:
            self.assign(generator.target, self.element(self.infer(generator.iter)))
            for test in generator.ifs:
                self.infer(test)
                self.narrow(test, True)
        if isinstance(node, ast.DictComp):
            self.infer(node.key)
            kind = Kind("dict", element=self.infer(node.value))
        else:
            name = "set" if isinstance(node, ast.SetComp) else "list"
            kind = Kind(name, element=self.infer(node.elt))
        walrus = (part for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
        outside.update({part.target.id: self.kinds[part.value] for part in walrus})
        self.env = outside
        return kind

    def anonymous(self, node: ast.Lambda) -> Kind:
        """Return the kind of a lambda, whose `element` is what it gives."""
        outside = dict(self.env)
        for argument in (*node.args.args, *node.args.kwonlyargs):
            self.env[argument.arg] = self.inference.argument(node, argument.arg)
        result = self.infer(node.body)
        self.env = outside
        return Kind("function", cls=self.inference.keep(self.names.module.name, node, result))

    def dict_display(self, node: ast.Dict) -> Kind:
        """Return the kind of a dict literal: its values by their constant keys, and together."""
        for key in node.keys:
            if key is not None:
                self.infer(key)
        values = [self.infer(value) for value in node.values]
        if not values:
            return Kind("dict", items=())
        fields: list[tuple[str, Kind]] = []
        for key, kind in zip(node.keys, values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                fields.append((key.value, kind))
        held = [
            (elements(kind) or kind) if key is None else kind
            for key, kind in zip(node.keys, values, strict=True)
        ]
        whole = len(fields) == len(values)
        return Kind("dict", element=reduce(join, held), fields=tuple(fields) if whole else ())

    def element(self, kind: Kind) -> Kind:
        """Return the kind of what iterating a value gives."""
        if kind.name == "dict":
            return UNKNOWN
        if kind.name in ("tensor", "array"):
            return kind.required
        if kind.name in ("str", "object"):
            return STR if kind.name == "str" else OBJECT if kind.cls is None else UNKNOWN
        return elements(kind) or UNKNOWN
