"""Infer the kind of one expression from the kinds of its parts and from the mapping table."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce

from porter.source.compound import CompoundKinds
from porter.source.dtypes import divide, named_dtype, promote
from porter.source.kinds import (
    ARRAY,
    ASSUMED_TENSOR,
    BOOL,
    COMPLEX,
    DEVICE,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    SETTING,
    SHAPE,
    STR,
    TENSOR,
    UNKNOWN,
    Kind,
    both_elements,
    elements,
    is_shape,
    join,
    named,
)
from porter.source.python_kinds import (
    ARRAY_ATTRIBUTES,
    PYTHON_METHODS,
    TENSOR_ONLY,
    denies,
)

CONSTANTS = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR}
BY_NAME = {"shape": SHAPE, "dtype": DTYPE, "device": DEVICE}
NUMERIC = ("int", "float", "bool")
FORWARDS = ("forward", "forward_with_filtered_kwargs")
"""Methods that run a module: the second is that of a backbone of transformers."""
SAME_DTYPE = ("T", "mT", "data", "grad")


class ExpressionKinds(CompoundKinds):
    """The expressions of a walk."""

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
                return self.binary(node.op, self.infer(node.left), self.infer(node.right))
            case ast.UnaryOp():
                kind = self.infer(node.operand)
                return BOOL if isinstance(node.op, ast.Not) else kind
            case ast.BoolOp():
                return self.boolean(node)
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp():
                return self.conditional(node)
            case ast.Yield() | ast.YieldFrom():
                return self.given(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Tuple():
                return self.display(node.elts)
            case ast.List():
                kind = self.display(node.elts)
                return Kind("list", items=kind.items, element=kind.element)
            case ast.Set():
                return Kind("set", element=elements(self.display(node.elts)))
            case ast.Dict():
                return self.dict_display(node)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return self.comprehension(node)
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
                return self.anonymous(node)
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

    def call(self, node: ast.Call) -> Kind:
        raise NotImplementedError

    def reference_kind(self, node: ast.expr) -> Kind:
        """Return the kind of a name that no local assignment bound."""
        qualified = self.inference.reference(node, self.scope, self.names)
        if qualified is None:
            return UNKNOWN
        if qualified in self.program.classes:
            return Kind("class", cls=qualified)
        if qualified in self.program.functions:
            return Kind("function", cls=qualified)
        if qualified in self.inference.globals:
            return self.inference.globals[qualified]
        if self.program.is_output_name(qualified):
            return Kind("class", cls=qualified)
        entry = self.program.mapping.find(qualified)
        if entry is None or not entry.overloads:
            return UNKNOWN
        results = {overload.result for overload in entry.overloads}
        if entry.kind == "constant" and "tensor" not in results:
            return replace(named(entry.overloads[0].result), dtype=named_dtype(qualified))
        if entry.kind == "function" and len(results) == 1:
            result = results.pop()
            return Kind("function", element=UNKNOWN if ":" in result else named(result))
        return Kind("class", cls=qualified) if entry.kind == "module" else UNKNOWN

    def attribute(self, node: ast.Attribute) -> Kind:
        parts_kind = self.reference_kind(node)
        if parts_kind.name != "unknown":
            return parts_kind
        name = node.attr
        value = self.settled(node.value, self.infer(node.value), name)
        return self.attribute_of(value, name)

    def attribute_of(self, value: Kind, name: str) -> Kind:
        """Return the kind of an attribute of a value."""
        name = "forward" if name in FORWARDS else name
        if value.name == "module" and value.items:
            return reduce(join, [self.attribute_of(item, name) for item in value.items])
        if value.name in ("module", "object") and value.cls is not None:
            own = self.module_attribute(value.cls, name)
            return BY_NAME.get(name, UNKNOWN) if own.name == "unknown" else own
        if value.name == "class" and name == "apply" and self.program.is_autograd(value.cls or ""):
            return Kind("function", cls=f"{value.cls}.forward")
        if value.name == "context":
            # What forward kept; the tensors that it saved come back as a tuple of them.
            saved = name == "saved_tensors"
            return named("tensors") if saved else self.inference.kept(value.cls or "", name)
        if value.name == "config":
            return SETTING
        if value.name == "object":
            return OBJECT
        if value.name == "array":
            return ARRAY_ATTRIBUTES.get(name, ARRAY)
        if value.name == "tuple" and value.fields:
            return value.field(name) or UNKNOWN
        if value.name == "output":
            return value.field(name) or (NONE if value.fields else UNKNOWN)
        if value.name in ("tensor", "unknown") and name in BY_NAME:
            return replace(BY_NAME[name], dtype=value.dtype)
        if value.name == "tensor":
            entry = self.program.mapping.method(name)
            if entry is not None and entry.kind == "attribute" and entry.overloads:
                kind = replace(named(entry.overloads[0].result), sure=value.sure)
                return replace(kind, dtype=value.dtype) if name in SAME_DTYPE else kind
        return UNKNOWN

    def settled(self, node: ast.expr, kind: Kind, name: str) -> Kind:
        """Return the kind of what an attribute is read from, which the attribute itself may show.

        A value of which an annotation says `int` is none if `.size()` is asked of it, and a guess
        that it is a tensor is wrong if `.update()` is.
        """
        if kind.field(name) is not None:
            return kind  # a named tuple has what its fields say, whatever a tensor has
        if kind.name == "tensor" and not kind.sure and name in PYTHON_METHODS:
            if self.program.mapping.method(name) is None:
                return self.settle(node, UNKNOWN)
            return kind
        shown = kind.name == "unknown" and name in TENSOR_ONLY
        shown = shown and isinstance(node, ast.Name) and name not in self.inference.defined
        if not shown and not denies(kind, name, self.program.mapping):
            return kind
        return self.settle(node, ASSUMED_TENSOR)

    def settle(self, node: ast.expr, kind: Kind) -> Kind:
        """Hold a value for what its use shows, here and from here on."""
        self.kinds[node] = kind
        if isinstance(node, ast.Name) and node.id in self.env:
            self.env[node.id] = kind
        return kind

    def module_attribute(self, cls: str, name: str) -> Kind:
        """Return the kind of an attribute of an instance of a class, its bases' included."""
        if name == "training":
            return BOOL
        if cls in self.program.classes:
            own = self.inference.attributes(cls).get(name)
            if own is not None:
                return own
            method = self.program.find_method(cls, name)
            if method is not None:
                return Kind("function", cls=method.qualified)
        for ancestor in self.program.ancestry(cls):
            entry = self.program.mapping.find(ancestor)
            if entry is not None and name in entry.weights:
                return TENSOR
        return UNKNOWN

    def binary(self, operator: ast.operator, left: Kind, right: Kind) -> Kind:
        if left.name == "tensor" or right.name == "tensor":
            divided = isinstance(operator, ast.Div)
            dtype = divide([left, right]) if divided else promote([left, right])
            return Kind("tensor", sure=left.sure and right.sure, dtype=dtype)
        if "complex" in (left.name, right.name):
            return COMPLEX
        if left.name in NUMERIC and right.name in NUMERIC:
            divided = isinstance(operator, ast.Div)
            return INT if left.name == right.name == "int" and not divided else FLOAT
        if is_shape(left) and is_shape(right):
            return SHAPE
        if left.name == "str":
            return STR
        if "array" in (left.name, right.name):
            return ARRAY
        if left.name == right.name and left.name in ("tuple", "list"):
            if left.items is not None and right.items is not None:
                return Kind(left.name, items=left.items + right.items)
            return Kind(left.name, element=both_elements(left, right))
        if is_shape(left) and right.name in ("tuple", "list") and _may_be_sizes(right):
            return SHAPE
        if is_shape(right) and left.name in ("tuple", "list") and _may_be_sizes(left):
            return SHAPE
        for sequence, count in ((left, right), (right, left)):
            repeated = isinstance(operator, ast.Mult) and sequence.name in ("tuple", "list")
            if repeated and count.name in (*NUMERIC, "unknown", "object"):
                held = Kind(sequence.name, element=elements(sequence))
                return SHAPE if is_shape(sequence) else held
        if "object" in (left.name, right.name) and "unknown" not in (left.name, right.name):
            return SETTING
        return UNKNOWN

    def compare(self, node: ast.Compare) -> Kind:
        kinds = [self.infer(node.left), *(self.infer(item) for item in node.comparators)]
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return BOOL
        names = {kind.name for kind in kinds}
        if "tensor" in names:
            return Kind("tensor", sure=all(kind.sure for kind in kinds), dtype="bool")
        if "array" in names:
            return ARRAY
        # A number may be compared with each element of a tensor; text with none.
        return UNKNOWN if "unknown" in names and names <= {"unknown", *NUMERIC} else BOOL

    def subscript(self, node: ast.Subscript) -> Kind:
        value = self.infer(node.value)
        self.infer(node.slice)
        if value.name == "tensor":
            return Kind("tensor", sure=value.sure, dtype=value.dtype)
        if value.name in ("array", "object"):
            return value if value.cls is None else UNKNOWN
        if value.name == "config":
            return SETTING
        if value.name == "str":
            return STR
        if value.name == "dict":
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            own = value.field(key) if isinstance(key, str) else None
            return own or elements(value) or UNKNOWN
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
        if value.items is not None and sliced and value.name in ("list", "tuple"):
            return self.sliced(value, node.slice)
        if value.name in ("list", "tuple", "modules"):
            return value if sliced else self.element(value)
        return UNKNOWN

    def sliced(self, value: Kind, node: ast.expr) -> Kind:
        """Return the kind of a part of a tuple or list of known length."""
        assert value.items is not None
        bounds = [getattr(node, part) for part in ("lower", "upper", "step")]
        numbers: list[int | None] = []
        for bound in bounds:
            try:
                numbers.append(None if bound is None else ast.literal_eval(bound))
            except ValueError:
                return Kind(value.name, element=elements(value))
        return Kind(value.name, items=value.items[slice(*numbers)])


def _may_be_sizes(kind: Kind) -> bool:
    """Tell whether what is added to a shape may be sizes, which it is if nothing says otherwise."""
    parts = kind.items if kind.items is not None else (kind.element or UNKNOWN,)
    return all(part.name in ("int", "unknown", "object") for part in parts)
