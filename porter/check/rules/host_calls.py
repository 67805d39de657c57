"""Find Python functions that the graph runs only on constants, or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Fix, Hit, on
from porter.check.rules.flow import is_tensor_value
from porter.plan.edits import Replace, ToDict

OF_NUMBERS = {
    "max": "write `a if a > b else b`",
    "min": "write `a if a < b else b`",
    "abs": "write `a if a > 0 else -a`",
    "round": "use integer arithmetic, such as (n + 1) // 2",
}
IMPORTED = {
    "functools.reduce": "write a loop",
    "copy.deepcopy": "tensors need no copy in the graph",
    "copy.copy": "tensors need no copy in the graph",
}
CONTEXT = ("get_context", "set_context", "set_seed")
PARAMETER_LISTS = ("trainable_params", "get_parameters", "untrainable_params")
TEXT_METHODS = frozenset(
    ["startswith", "endswith", "split", "join", "strip", "lstrip", "rstrip", "replace"]
)
TENSORS = ("tensor", "maybe")
PRINT = "give print the size itself: print(x.shape)"


def _sizes(context: Context, nodes: Iterable[ast.expr]) -> bool:
    return any(context.kind(node) in ("dim", "shape") for node in nodes)


@on(ast.Call)
def of_dimension(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report max, min, abs, round and math functions of a size."""
    assert isinstance(node, ast.Call)
    for name, hint in OF_NUMBERS.items():
        if context.builtin(node, name) and _sizes(context, node.args):
            yield Hit(
                "PRT340",
                node,
                f"{name} of a size does not compile where the size is dynamic",
                hint,
            )
    qualified = context.qualified(node.func) or ""
    if context.builtin(node, "str") and _sizes(context, node.args):
        yield Hit("PRT340", node, "str of a size does not compile where the size is dynamic", PRINT)
    if not qualified.startswith("math.") or not node.args:
        return
    if _sizes(context, node.args):
        fix = None
        if qualified == "math.sqrt" and len(node.args) == 1:
            fix = Fix(((node, Replace("{n} ** 0.5", {"n": node.args[0]})),))
        hint = {"math.sqrt": "write n ** 0.5", "math.ceil": "write -(-a // b)"}.get(
            qualified, "write it with Python operators, or with ops on a tensor"
        )
        yield Hit(
            "PRT340",
            node,
            f"{qualified} of a size does not compile where the size is dynamic",
            hint,
            fix,
        )
    elif any(is_tensor_value(context, item) for item in node.args):
        name = qualified.rpartition(".")[2]
        yield Hit(
            "PRT341",
            node,
            f"{qualified} of a tensor runs in Python: STRICT refuses it",
            f"use ops.{name}",
        )


@on(ast.Call)
def strict_refuses(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report Python functions of tensors that STRICT refuses and LAX runs on the host."""
    assert isinstance(node, ast.Call)
    qualified = context.qualified(node.func)
    if context.builtin(node, "dict") and node.keywords and not node.args:
        keys = tuple(item.arg or "" for item in node.keywords)
        if any(context.kinds.changing(item.value) for item in node.keywords) and all(keys):
            yield _strict(node, "dict(...)", "write a dict display", Fix(((node, ToDict(keys)),)))
    elif context.builtin(node, "any", "all") and len(node.args) == 1:
        yield from _any_or_all(context, node)
    elif context.builtin(node, "type") and len(node.args) == 1:
        if context.kind(node.args[0]) in TENSORS:
            yield _strict(node, "type(...) of a tensor", "use isinstance")
    elif qualified == "typing.cast" and len(node.args) == 2:
        if context.kinds.changing(node.args[1]):
            fix = Fix(((node, Replace("{value}", {"value": node.args[1]})),))
            yield _strict(node, "typing.cast", "drop it, or annotate", fix)
    elif qualified in IMPORTED and any(context.kinds.changing(item) for item in node.args):
        yield _strict(node, qualified, IMPORTED[qualified])


def _any_or_all(context: Context, node: ast.Call) -> Iterable[Hit]:
    """Report `any([...])` of tests that name tensors."""
    assert isinstance(node.func, ast.Name)
    display = node.args[0]
    if not isinstance(display, ast.List | ast.Tuple) or len(display.elts) < 2:
        return
    if not any(
        isinstance(part, ast.Name) and context.kind(part) in TENSORS for part in ast.walk(display)
    ):
        return
    word = "or" if node.func.id == "any" else "and"
    template = f" {word} ".join(f"{{v{i}}}" for i in range(len(display.elts)))
    values = {f"v{i}": item for i, item in enumerate(display.elts)}
    tests = all(isinstance(item, ast.Compare) for item in display.elts)
    fix = Fix(((node, Replace(template, dict(values))),)) if tests else None
    yield _strict(node, f"{node.func.id}([...]) with tensors", f"join the tests by `{word}`", fix)


def _strict(node: ast.AST, what: str, hint: str, fix: Fix | None = None) -> Hit:
    return Hit("PRT341", node, f"{what} runs in Python: STRICT refuses it", hint, fix)


@on(ast.JoinedStr)
def shape_in_text(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `print(f"{x.shape}")`."""
    assert isinstance(node, ast.JoinedStr)
    if not context.builtin(context.parents.get(node, node), "print"):
        return
    for part in node.values:
        if isinstance(part, ast.FormattedValue) and context.kind(part.value) == "shape":
            yield Hit("PRT340", node, "a printed text cannot hold a shape that is dynamic", PRINT)


@on(ast.BinOp)
def text_formatted(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `"..." % size`."""
    assert isinstance(node, ast.BinOp)
    text = isinstance(node.op, ast.Mod) and context.kind(node.left) == "str"
    if text and context.kinds.changing(node.right):
        yield _strict(node, "`%` of a text and a value of the graph", "use an f-string")


@on(ast.Call)
def text_method(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report methods and the length of text."""
    assert isinstance(node, ast.Call)
    if context.builtin(node, "len") and node.args and context.kind(node.args[0]) == "str":
        yield _strict(node, "len of a text", "work it out in __init__")
    func = node.func
    if (
        isinstance(func, ast.Attribute)
        and func.attr in TEXT_METHODS
        and context.kind(func.value) == "str"
    ):
        yield _strict(node, f"str.{func.attr}", "work it out in __init__")


@on(ast.Call)
def of_mindspore(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report functions of MindSpore itself that work on the host only."""
    assert isinstance(node, ast.Call)
    qualified = context.qualified(node.func) or ""
    place, _, name = qualified.rpartition(".")
    if place == "mindspore.log" and name in ("debug", "info", "warning", "error", "critical"):
        yield _host_only(node, qualified, "use Python's logging, print, or nothing")
    elif place in ("mindspore", "mindspore.context") and name in CONTEXT:
        yield _host_only(node, qualified, "decide it in __init__")
    elif name == "dtype_to_nptype" and qualified.startswith("mindspore."):
        hint = "choose by dtype: {mindspore.float16: -65504.0, ...}[x.dtype]"
        yield _host_only(node, qualified, hint)
    elif (
        isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
        and node.func.attr in PARAMETER_LISTS
        and context.graph.own_method(node.func, context.owner) is None
    ):
        yield _host_only(node, f"Cell.{node.func.attr}", "keep a ParameterTuple from __init__")


def _host_only(node: ast.AST, name: str, hint: str) -> Hit:
    return Hit("PRT342", node, f"{name} cannot be called in the graph", hint)


@on(ast.Call)
def printed(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `print(..., end="")`."""
    assert isinstance(node, ast.Call)
    if context.builtin(node, "print") and node.keywords:
        yield Hit(
            "PRT345",
            node,
            f"print takes no {node.keywords[0].arg}= in the graph",
            "print without it",
        )


@on(ast.Call)
def iterated(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report reversed of Cells, next and iter, and `cell.__call__`."""
    assert isinstance(node, ast.Call)
    if context.builtin(node, "reversed") and node.args and context.kind(node.args[0]) == "cells":
        fix = Fix(((node, Replace("{cells}[::-1]", {"cells": node.args[0]})),))
        yield Hit(
            "PRT343", node, "reversed of a CellList does not compile", "write cells[::-1]", fix
        )
    elif context.builtin(node, "next", "iter") and node.args:
        parent = context.parents.get(node)
        if isinstance(parent, ast.Call) and context.builtin(parent, "next"):
            return
        yield Hit(
            "PRT343",
            node,
            "iter and next give the whole sequence in the graph, not its next item",
            "use an index",
        )
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "__call__":
        edit = Replace("{f}", {"f": node.func.value})
        fix = Fix(((node.func, edit),))
        yield Hit(
            "PRT343", node, "calling `__call__` by name does not compile", "call the Cell", fix
        )


@on(ast.Compare)
def identity(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `a is b` of two tensors."""
    assert isinstance(node, ast.Compare)
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return
    if all(context.kind(part) in TENSORS for part in (node.left, node.comparators[0])):
        yield Hit(
            "PRT344",
            node,
            "`is` of two tensors is always false in the graph",
            "pass a flag, or None for the missing one",
        )
