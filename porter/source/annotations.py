"""Read the kind of value that an annotation promises."""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.source.dtypes import TENSORS
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
    join,
    list_of,
    tuple_of,
)
from porter.source.names import Names, Scope
from porter.source.program import MODULE_ROOTS, Program
from porter.source.python_kinds import host_call

BUILTIN = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "dict": DICT,
    "tuple": Kind("tuple"),
    "list": Kind("list"),
    "set": Kind("set"),
    "Callable": Kind("function"),
}
KNOWN = {
    "torch.dtype": DTYPE,
    "torch.device": DEVICE,
    "torch.Size": SHAPE,
    "typing.List": Kind("list"),
    "typing.Tuple": Kind("tuple"),
    "typing.Dict": DICT,
    "typing.Callable": Kind("function"),
    "collections.abc.Callable": Kind("function"),
}
TUPLES = ("tuple", "typing.Tuple")
LISTS = (
    "list",
    *(f"typing.{name}" for name in ("List", "Sequence", "Iterable", "Iterator")),
    *(f"collections.abc.{name}" for name in ("Sequence", "Iterable", "Iterator")),
)
DICTS = ("dict", "typing.Dict", "typing.Mapping", "collections.abc.Mapping")
SETS = ("set", "frozenset", "typing.Set", "collections.abc.Set")


def annotated(node: ast.expr, scope: Scope, names: Names, program: Program) -> Kind:
    """Return the kind that an annotation names; unknown where it names none that porter knows."""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            try:
                inner = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return UNKNOWN
            return annotated(inner, scope, names, program)
        return UNKNOWN
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _either(
            annotated(node.left, scope, names, program),
            annotated(node.right, scope, names, program),
        )
    if isinstance(node, ast.Subscript):
        return _subscript(node, scope, names, program)
    return _plain(node, scope, names, program)


def _either(left: Kind, right: Kind) -> Kind:
    """Join alternatives; of `tuple | SomeOutput` ports always return the structured result."""
    if left.name == "tuple" and right.name == "output":
        return right
    if right.name == "tuple" and left.name == "output":
        return left
    if {left.name, right.name} == {"str", "device"}:
        return DEVICE  # a device by its name
    return join(left, right)


def _subscript(node: ast.Subscript, scope: Scope, names: Names, program: Program) -> Kind:
    base = program.reference(node.value, scope, names) or ""
    base = base.rpartition(".")[2] if base.startswith(f"{names.module.name}.") else base
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if base == "typing.Optional":
        return replace(annotated(inner[0], scope, names, program), optional=True)
    if base == "typing.Union":
        kinds = [annotated(item, scope, names, program) for item in inner]
        result = kinds[0]
        for kind in kinds[1:]:
            result = _either(result, kind)
        return result
    if base in TUPLES:
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis:
            return Kind("tuple", element=annotated(inner[0], scope, names, program))
        return tuple_of(*(annotated(item, scope, names, program) for item in inner))
    if base in DICTS and len(inner) == 2:
        return Kind("dict", element=annotated(inner[1], scope, names, program))
    if base in SETS:
        return Kind("set", element=annotated(inner[0], scope, names, program))
    if base in LISTS:
        return list_of(annotated(inner[0], scope, names, program))
    return _plain(node.value, scope, names, program)


def _plain(node: ast.expr, scope: Scope, names: Names, program: Program) -> Kind:
    if isinstance(node, ast.Name) and node.id in BUILTIN and names.qualified(node, scope) is None:
        return BUILTIN[node.id]
    qualified = program.reference(node, scope, names)
    if qualified is None:
        return UNKNOWN
    if qualified in KNOWN:
        return KNOWN[qualified]
    if qualified in program.classes:
        if program.is_module(qualified):
            return Kind("module", cls=qualified)
        if program.output_fields(qualified) is not None:
            return Kind("output", cls=qualified)
    elif program.is_output_name(qualified):
        return Kind("output", cls=qualified)
    entry = program.mapping.find(qualified)
    if qualified in MODULE_ROOTS or (entry is not None and entry.kind == "module"):
        return Kind("module", cls=qualified)
    if entry is not None and entry.kind == "class" and entry.target == "mindspore.Tensor":
        return replace(TENSOR, dtype=TENSORS.get(qualified.rpartition(".")[2]))
    if qualified.rpartition(".")[2].endswith("Config"):
        return Kind("config", cls=qualified)
    return host_call(qualified) or UNKNOWN
