"""Work out what the attributes of a Cell are from its constructor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from porter.source.program import ClassInfo

if TYPE_CHECKING:
    from porter.check.project import Project

LISTS = ("CellList", "SequentialCell", "ModuleList", "CellDict", "ParameterTuple")


def attribute_kinds(info: ClassInfo, project: Project) -> dict[str, str]:
    """Return the kinds of the attributes that one class sets in `__init__`."""
    found: dict[str, str] = {}
    for name, value in assigned_attributes(info, project):
        kind = _value(value, info, project)
        if name in found and kind in ("none", "unknown"):
            continue
        found[name] = kind
    found.update(dict.fromkeys(_later_parameters(info, project), "tensor"))
    return found


def _later_parameters(info: ClassInfo, project: Project) -> Iterator[str]:
    """Yield the attributes that other methods, which __init__ may call, set to a Parameter."""
    for name, method in info.methods.items():
        if name in ("__init__", "construct"):
            continue
        for node in project.program.below(method):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                func = node.value.func
                made = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                if made == "Parameter":
                    for target in node.targets:
                        if isinstance(target, ast.Attribute):
                            yield target.attr


def attribute_classes(info: ClassInfo, project: Project) -> dict[str, str]:
    """Return the classes of the project that one class makes its attributes of."""
    found: dict[str, str] = {}
    for name, value in assigned_attributes(info, project):
        if isinstance(value, ast.Call):
            scope = info.names.scopes[info.methods["__init__"]]
            reference = project.program.reference(value.func, scope, info.names)
            defined = project.define(reference) if reference else None
            if defined in project.program.classes and defined is not None:
                found[name] = defined
    return found


def assigned_attributes(info: ClassInfo, project: Project) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes of self that the constructor of a class sets, with their values."""
    constructor = info.methods.get("__init__")
    for statement in project.program.below(constructor) if constructor is not None else ():
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            if (
                isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and target.value.id == "self"
            ):
                yield target.attr, statement.value


def _value(node: ast.expr, info: ClassInfo, project: Project) -> str:
    match node:
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value=str()):
            return "str"
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return "const"
        case ast.Dict():
            return "dict"
        case ast.List():
            return "list"
        case ast.Call():
            return _call(node, info, project)
    return "unknown"


def _call(node: ast.Call, info: ClassInfo, project: Project) -> str:
    scope = info.names.scopes[info.methods["__init__"]]
    imported = info.names.qualified(node.func, scope) or ""
    name = imported.rpartition(".")[2]
    if name in LISTS:
        return "cells"
    if imported.startswith("mindspore.") and name in ("Parameter", "Tensor", "tensor"):
        return "tensor"
    if imported.startswith("numpy."):
        return "fixed array"
    if imported.startswith(("mindspore.nn.", "mindspore.ops.", "mindspore.mint.")):
        if name in ("Shape", "TensorShape"):
            return "shape cell"
        return "cell" if name[:1].isupper() else "tensor"
    reference = project.program.reference(node.func, scope, info.names)
    defined = project.define(reference) if reference else None
    found = project.program.classes.get(defined or "")
    if found is not None and ("construct" in found.methods or _is_cell(found, project)):
        return "cell"
    return "unknown"


def _is_cell(info: ClassInfo, project: Project) -> bool:
    return any(name.startswith("mindspore.nn.") for name in project.ancestry(info.qualified))
