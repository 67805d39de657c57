"""Infer the kind of a call: of a mapped name, of the source's own code, a method, a builtin."""

from __future__ import annotations

import ast
from collections.abc import Callable

from porter.mapping.bind import Binding, bind
from porter.mapping.schema import Entry, Overload
from porter.source.expressions import ExpressionKinds
from porter.source.kinds import (
    BOOL,
    DICT,
    FLOAT,
    INT,
    SHAPE,
    STR,
    TENSOR,
    UNKNOWN,
    Kind,
    fits,
    is_shape,
    join,
    list_of,
    named,
    tuple_of,
)

RESULTS = {
    "len": INT,
    "int": INT,
    "round": INT,
    "float": FLOAT,
    "bool": BOOL,
    "isinstance": BOOL,
    "hasattr": BOOL,
    "callable": BOOL,
    "any": BOOL,
    "all": BOOL,
    "str": STR,
    "repr": STR,
    "dict": DICT,
}
MODULE_LISTS = ("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ModuleDict")

PYTHON_METHODS = frozenset(
    name
    for kind in (str, bytes, list, dict, set, frozenset, tuple, int, float)
    for name in dir(kind)
)


def is_tensor_method(name: str) -> bool:
    """Tell whether a method name of torch.Tensor is none of Python's own types."""
    return name not in PYTHON_METHODS and name not in (
        "to",
        "type",
        "item",
        "apply",
        "numpy",
    )


def choose_overload(
    entry: Entry, call: ast.Call, receiver: ast.expr | None, kind_of: Callable[[ast.AST], Kind]
) -> tuple[Overload, Binding] | None:
    """Return the first spelling whose signature binds and whose kinds nothing contradicts."""
    for overload in entry.overloads:
        if overload.signature is None:
            continue
        binding = bind(overload.signature, call, receiver)
        if isinstance(binding, Binding) and all(
            fits(kind_of(binding.values[name]), wanted) is not False
            for name, wanted in overload.types.items()
            if name in binding.values
        ):
            return overload, binding
    return None


class CallKinds(ExpressionKinds):
    """The calls of a walk."""

    def call(self, node: ast.Call) -> Kind:
        arguments = [self.infer(argument) for argument in node.args]
        for keyword in node.keywords:
            self.infer(keyword.value)
        qualified = self.names.qualified(node.func, self.scope)
        if qualified is not None:
            entry = self.program.mapping.find(qualified)
            if entry is not None:
                return self.mapped_call(qualified, entry, node, arguments)
        callee = self.infer(node.func)
        if callee.name == "class" and callee.cls is not None:
            return self.constructed(callee.cls, node)
        if callee.name == "function" and callee.cls is not None:
            return self.returned_by(callee.cls)
        if callee.name == "module" and callee.cls is not None:
            return self.module_call(callee.cls)
        if isinstance(node.func, ast.Name) and callee.name == "unknown":
            return self.builtin(node.func.id, arguments)
        if isinstance(node.func, ast.Attribute):
            return self.method_call(node, node.func)
        return UNKNOWN

    def mapped_call(
        self, qualified: str, entry: Entry, node: ast.Call, arguments: list[Kind]
    ) -> Kind:
        if entry.kind == "module":
            if qualified in MODULE_LISTS:
                element = self.element(arguments[0]) if arguments else UNKNOWN
                return Kind("modules", element=element, cls=qualified)
            return Kind("module", cls=qualified)
        if entry.kind == "class":
            if self.program.is_output_name(qualified):
                return self.output_of(qualified, node, ())
            return TENSOR if entry.target == "mindspore.Tensor" else UNKNOWN
        if entry.kind == "annotation":
            # Called, it makes a value: torch.device("cpu") is a device. "tensor" is the default.
            result = entry.overloads[0].result if entry.overloads else "tensor"
            return named(result) if result != "tensor" else UNKNOWN
        chosen = choose_overload(entry, node, None, lambda part: self.kinds.get(part, UNKNOWN))
        if chosen is None:
            return UNKNOWN
        return self.result_of(chosen[0], chosen[1])

    def result_of(self, overload: Overload, binding: Binding) -> Kind:
        """Return the kind of a call's result; `same:NAME` is the kind of that argument."""
        if overload.result.startswith("same:"):
            argument = binding.values.get(overload.result[5:])
            return self.kinds.get(argument, UNKNOWN) if argument is not None else UNKNOWN
        if overload.fields:
            items = (TENSOR,) * len(overload.fields)
            return Kind(
                "tuple", items=items, fields=tuple(zip(overload.fields, items, strict=True))
            )
        return named(overload.result)

    def constructed(self, cls: str, node: ast.Call) -> Kind:
        fields = self.program.output_fields(cls)
        if fields is not None:
            return self.output_of(cls, node, fields)
        return Kind("module", cls=cls) if self.program.is_module(cls) else UNKNOWN

    def output_of(self, cls: str, node: ast.Call, fields: tuple[str, ...]) -> Kind:
        found = [(name, self.kinds[value]) for name, value in zip(fields, node.args, strict=False)]
        found += [(k.arg, self.kinds[k.value]) for k in node.keywords if k.arg is not None]
        return Kind("output", cls=cls, fields=tuple(found))

    def returned_by(self, qualified: str) -> Kind:
        function = self.program.functions.get(qualified)
        if function is None:
            owner, _, name = qualified.rpartition(".")
            function = self.program.find_method(owner, name)
        return self.inference.returns(function) if function is not None else UNKNOWN

    def module_call(self, cls: str) -> Kind:
        forward = self.program.find_method(cls, "forward")
        if forward is not None:
            return self.inference.returns(forward)
        entry = self.program.mapping.find(cls)
        if entry is not None and entry.kind == "module":
            return named(entry.overloads[0].result)
        return UNKNOWN

    def method_call(self, node: ast.Call, func: ast.Attribute) -> Kind:
        value = self.kinds.get(func.value, UNKNOWN)
        receiver = func.value.func if isinstance(func.value, ast.Call) else None
        if isinstance(receiver, ast.Name) and receiver.id == "super":
            for base in self.owner.bases if self.owner is not None else ():
                method = self.program.find_method(base, func.attr)
                if method is not None:
                    return self.inference.returns(method)
        if value.name == "class" and value.cls is not None and self.program.is_module(value.cls):
            return (
                Kind("module", cls=value.cls)
                if func.attr.lstrip("_").startswith("from_")
                else UNKNOWN
            )
        if value.name in ("tensor", "unknown"):
            entry = self.program.mapping.method(func.attr)
            if entry is not None and (value.name == "tensor" or is_tensor_method(func.attr)):
                chosen = choose_overload(
                    entry, node, func.value, lambda p: self.kinds.get(p, UNKNOWN)
                )
                if chosen is not None:
                    return self.result_of(chosen[0], chosen[1])
        if value.name in ("list", "dict") and func.attr == "copy":
            return value
        return STR if value.name == "str" else UNKNOWN

    def builtin(self, name: str, arguments: list[Kind]) -> Kind:
        if name in RESULTS:
            return RESULTS[name]
        if name in ("max", "min", "sum", "abs", "pow") and arguments:
            if any(kind.name == "tensor" for kind in arguments):
                return TENSOR
            if name == "sum":
                return self.element(arguments[0])
            result = arguments[0]
            for kind in arguments[1:]:
                result = join(result, kind)
            return result
        if name == "range":
            return list_of(INT)
        if name in ("list", "tuple", "sorted", "reversed") and arguments:
            kind = arguments[0]
            if is_shape(kind):
                return SHAPE
            return Kind(
                "tuple" if name == "tuple" else "list", items=kind.items, element=self.element(kind)
            )
        if name == "enumerate" and arguments:
            return list_of(tuple_of(INT, self.element(arguments[0])))
        if name == "zip":
            return list_of(tuple_of(*(self.element(kind) for kind in arguments)))
        return UNKNOWN
