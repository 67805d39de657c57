"""Infer the kind of one expression from the kinds of its parts and from the mapping table."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from porter.source.kinds import (
    BOOL,
    DEVICE,
    DICT,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    SHAPE,
    STR,
    TENSOR,
    UNKNOWN,
    Kind,
    is_shape,
    join,
    list_of,
    named,
    tuple_of,
)
from porter.source.names import Names, Scope
from porter.source.program import ClassInfo

if TYPE_CHECKING:
    from porter.source.infer import Inference

CONSTANTS = {bool: BOOL, int: INT, float: FLOAT, str: STR}
BY_NAME = {"shape": SHAPE, "dtype": DTYPE, "device": DEVICE}
NUMERIC = ("int", "float", "bool")


class ExpressionKinds:
    """The expression half of a walk; `env` holds the kinds of local names."""

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

    def infer(self, node: ast.expr) -> Kind:
        """Return the kind of an expression and remember it for every part."""
        kind = self._infer(node)
        self.kinds[node] = kind
        return kind

    def _infer(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant():
                return NONE if node.value is None else CONSTANTS.get(type(node.value), UNKNOWN)
            case ast.Name():
                return self.env[node.id] if node.id in self.env else self.reference_kind(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self.call(node)
            case ast.BinOp():
                return self.binary(self.infer(node.left), self.infer(node.right))
            case ast.UnaryOp():
                kind = self.infer(node.operand)
                return BOOL if isinstance(node.op, ast.Not) else kind
            case ast.BoolOp():
                kinds = [self.infer(value) for value in node.values]
                result = kinds[0].required if isinstance(node.op, ast.Or) else kinds[0]
                for kind in kinds[1:]:
                    result = join(result, kind)
                return result
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp():
                self.infer(node.test)
                return join(self.infer(node.body), self.infer(node.orelse))
            case ast.Subscript():
                return self.subscript(node)
            case ast.Tuple():
                return self.display(node.elts)
            case ast.List():
                kind = self.display(node.elts)
                return Kind("list", items=kind.items, element=kind.element)
            case ast.Set():
                for item in node.elts:
                    self.infer(item)
                return UNKNOWN
            case ast.Dict():
                for part in [*node.keys, *node.values]:
                    if part is not None:
                        self.infer(part)
                return DICT
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                self.generators(node.generators)
                return list_of(self.infer(node.elt))
            case ast.DictComp():
                self.generators(node.generators)
                self.infer(node.key)
                self.infer(node.value)
                return DICT
            case ast.Starred():
                return self.infer(node.value)
            case ast.JoinedStr():
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        self.infer(part.value)
                        if part.format_spec is not None:
                            self.infer(part.format_spec)
                return STR
            case ast.Lambda():
                before = dict(self.env)
                for argument in node.args.args:
                    self.env[argument.arg] = UNKNOWN
                self.infer(node.body)
                self.env = before
                return Kind("function")
            case ast.NamedExpr():
                kind = self.infer(node.value)
                self.env[node.target.id] = kind
                return kind
            case ast.Slice():
                for bound in (node.lower, node.upper, node.step):
                    if bound is not None:
                        self.infer(bound)
                return UNKNOWN
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.infer(child)
        return UNKNOWN

    def generators(self, generators: list[ast.comprehension]) -> None:
        for generator in generators:
            element = self.element(self.infer(generator.iter))
            self.assign(generator.target, element)
            for test in generator.ifs:
                self.infer(test)

    def assign(self, target: ast.expr, kind: Kind) -> None:
        raise NotImplementedError

    def call(self, node: ast.Call) -> Kind:
        raise NotImplementedError

    def display(self, elements: list[ast.expr]) -> Kind:
        kinds = [self.infer(item) for item in elements]
        if any(isinstance(item, ast.Starred) for item in elements):
            spread = [
                is_shape(kind) if isinstance(item, ast.Starred) else kind.name == "int"
                for item, kind in zip(elements, kinds, strict=True)
            ]
            return SHAPE if all(spread) else Kind("tuple")
        return tuple_of(*kinds)

    def reference_kind(self, node: ast.expr) -> Kind:
        """Return the kind of a name that no local assignment bound."""
        qualified = self.program.reference(node, self.scope, self.names)
        if qualified is None:
            return UNKNOWN
        if qualified in self.program.classes:
            return Kind("class", cls=qualified)
        if qualified in self.program.functions:
            return Kind("function", cls=qualified)
        entry = self.program.mapping.find(qualified)
        if entry is not None and entry.kind == "constant" and entry.overloads:
            result = entry.overloads[0].result
            return named(result) if result != "tensor" else UNKNOWN
        return UNKNOWN

    def attribute(self, node: ast.Attribute) -> Kind:
        parts_kind = self.reference_kind(node)
        if parts_kind.name != "unknown":
            return parts_kind
        value = self.infer(node.value)
        name = node.attr
        if value.name == "module" and value.cls is not None:
            own = self.module_attribute(value.cls, name)
            return BY_NAME.get(name, UNKNOWN) if own.name == "unknown" else own
        if value.name == "class" and name == "apply" and self.program.is_autograd(value.cls or ""):
            return Kind("function", cls=f"{value.cls}.forward")
        if value.name == "context":
            # What forward kept; the tensors that it saved come back as a tuple of them.
            kept = self.inference.kept.get(value.cls or "", {})
            return named("tensors") if name == "saved_tensors" else kept.get(name, UNKNOWN)
        if value.name == "tuple" and value.fields:
            return value.field(name) or UNKNOWN
        if value.name == "output":
            return value.field(name) or (NONE if value.fields else UNKNOWN)
        if value.name in ("tensor", "unknown") and name in BY_NAME:
            return BY_NAME[name]
        if value.name == "tensor":
            entry = self.program.mapping.method(name)
            if entry is not None and entry.kind == "attribute" and entry.overloads:
                return named(entry.overloads[0].result)
        return UNKNOWN

    def module_attribute(self, cls: str, name: str) -> Kind:
        if name == "training":
            return BOOL
        if cls in self.program.classes:
            own = self.inference.attributes(cls).get(name)
            if own is not None:
                return own
            method = self.program.find_method(cls, name)
            return Kind("function", cls=method.qualified) if method is not None else UNKNOWN
        entry = self.program.mapping.find(cls)
        if entry is not None and name in entry.weights:
            return TENSOR
        return UNKNOWN

    def binary(self, left: Kind, right: Kind) -> Kind:
        if left.name == "tensor" or right.name == "tensor":
            return Kind("tensor", sure=left.sure and right.sure)
        if left.name in NUMERIC and right.name in NUMERIC:
            return INT if left.name == "int" and right.name == "int" else FLOAT
        if is_shape(left) and is_shape(right):
            return SHAPE
        if left.name == "str":
            return STR
        if left.name == right.name and left.name in ("tuple", "list"):
            if left.items is not None and right.items is not None:
                return Kind(left.name, items=left.items + right.items)
            return Kind(left.name, element=join(self.element(left), self.element(right)))
        return UNKNOWN

    def compare(self, node: ast.Compare) -> Kind:
        kinds = [self.infer(node.left), *(self.infer(item) for item in node.comparators)]
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return BOOL
        return TENSOR if any(kind.name == "tensor" for kind in kinds) else BOOL

    def subscript(self, node: ast.Subscript) -> Kind:
        value = self.infer(node.value)
        self.infer(node.slice)
        if value.name == "tensor":
            return Kind("tensor", sure=value.sure)
        sliced = isinstance(node.slice, ast.Slice)
        if value.name == "shape":
            return SHAPE if sliced else INT
        if value.name == "output" and isinstance(node.slice, ast.Constant):
            if isinstance(node.slice.value, str):
                return value.field(node.slice.value) or NONE
            if isinstance(node.slice.value, int) and node.slice.value < len(value.fields):
                return value.fields[node.slice.value][1]
            return UNKNOWN
        if value.items is not None and isinstance(node.slice, ast.Constant):
            position = node.slice.value
            if isinstance(position, int) and -len(value.items) <= position < len(value.items):
                return value.items[position]
        if value.name in ("list", "tuple", "modules"):
            return value if sliced else self.element(value)
        return UNKNOWN

    def element(self, kind: Kind) -> Kind:
        """Return the kind of what iterating a value gives."""
        if kind.element is not None:
            return kind.element
        if kind.items:
            result = kind.items[0]
            for item in kind.items[1:]:
                result = join(result, item)
            return result
        if kind.name == "shape":
            return INT
        return TENSOR if kind.name == "tensor" else UNKNOWN
