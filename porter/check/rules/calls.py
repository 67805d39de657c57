"""Find calls whose meaning in GRAPH_MODE is another than in PYNATIVE_MODE, or than it looks."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import ClassContext, Context, Fix, Hit, on, on_class
from porter.plan.edits import Replace, Value

NOT_TENSORS = ("fixed array", "array", "list", "dict", "str", "cells", "shape", "dim", "const")
IN_PLACE = frozenset(
    [
        "add_",
        "sub_",
        "mul_",
        "div_",
        "fill_",
        "zero_",
        "clamp_",
        "exp_",
        "masked_fill_",
        "scatter_",
        "index_add_",
        "normal_",
        "uniform_",
        "floor_divide_",
        "remainder_",
        "pow_",
        "sqrt_",
        "abs_",
        "neg_",
        "relu_",
        "sigmoid_",
        "tanh_",
    ]
)
FLAT = ("reshape", "view", "flatten", "ravel")
LESS_THAN_HALF = 0.5


def _method(context: Context, node: ast.Call) -> str | None:
    """Return the name of a method that is called on what may be a tensor."""
    func = node.func
    if not isinstance(func, ast.Attribute) or context.qualified(func) is not None:
        return None
    if context.kind(func.value) in NOT_TENSORS or _is_self(func.value):
        return None
    return func.attr


def _is_self(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return node.id in ("self", "cls")
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _has_arrays(context: Context) -> bool:
    """Tell whether what nothing describes may be an array of NumPy, to which a call is another."""
    return any(origin.startswith("numpy") for origin in context.names.top.imports.values())


def _of_self(node: ast.expr) -> bool:
    """Tell whether an expression leads from an attribute of self."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "self"


def _tensor(context: Context, node: ast.Call) -> bool:
    assert isinstance(node.func, ast.Attribute)
    return context.kind(node.func.value) in ("tensor", "maybe")


@on(ast.Call)
def transposed(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.transpose(a, b)`: GRAPH takes the two numbers for a whole permutation."""
    assert isinstance(node, ast.Call)
    if _method(context, node) != "transpose" or node.keywords or len(node.args) != 2:
        return
    if any(isinstance(item, ast.Starred | ast.Tuple | ast.List) for item in node.args):
        return
    assert isinstance(node.func, ast.Attribute)
    values = {"x": node.func.value, "a": node.args[0], "b": node.args[1]}
    fix = Fix(((node, Replace("{x}.swapaxes({a}, {b})", dict(values))),))
    yield Hit(
        "PRT320",
        node,
        "x.transpose(a, b) swaps two axes in PYNATIVE_MODE; GRAPH_MODE takes the two for a whole"
        " permutation",
        "use x.swapaxes(a, b)",
        fix if _tensor(context, node) or not _has_arrays(context) else None,
    )


@on(ast.Call)
def expanded(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.expand(a, b)`, which GRAPH refuses."""
    assert isinstance(node, ast.Call)
    if _method(context, node) != "expand" or node.keywords or not node.args:
        return
    if not _tensor(context, node) and len(node.args) < 2:
        return
    assert isinstance(node.func, ast.Attribute)
    if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        sizes = "{sizes}"
        values: dict[str, ast.expr | tuple[ast.expr, ...]] = {"sizes": node.args[0]}
    else:
        sizes, values = "{sizes}", {"sizes": tuple(node.args)}
    edit = Replace(f"{{x}}.broadcast_to({sizes})", {"x": node.func.value, **values})
    yield Hit(
        "PRT321",
        node,
        "x.expand(...) does not compile in GRAPH_MODE",
        "use x.broadcast_to((...))",
        Fix(((node, edit),)),
    )


@on(ast.Call)
def reduced(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.max(-1)`: GRAPH gives the values alone."""
    assert isinstance(node, ast.Call)
    name = _method(context, node)
    if name not in ("max", "min") or len(node.args) != 1 or node.keywords:
        return
    argument = node.args[0]
    if not _tensor(context, node) or not _is_axis(argument):
        return
    assert isinstance(node.func, ast.Attribute)
    edit = Replace(f"{{x}}.{name}(dim={{axis}})", {"x": node.func.value, "axis": argument})
    yield Hit(
        "PRT322",
        node,
        f"x.{name}(axis) gives values and indices in PYNATIVE_MODE, and the values alone in"
        " GRAPH_MODE",
        f"use x.{name}(dim=axis) for both, or x.{name}(axis=axis) for the values",
        Fix(((node, edit),)),
    )


def _is_axis(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int


@on(ast.Call)
def flat_argmax(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.argmax()`: GRAPH takes the last axis."""
    assert isinstance(node, ast.Call)
    if _method(context, node) != "argmax" or node.args or node.keywords:
        return
    if not _tensor(context, node):
        return
    assert isinstance(node.func, ast.Attribute)
    receiver = node.func.value
    if (
        isinstance(receiver, ast.Call)
        and isinstance(receiver.func, ast.Attribute)
        and receiver.func.attr in FLAT  # one axis is all there is
    ):
        return
    template, needs = context.spelled("ops.argmax({x})")
    edit = Replace(template, {"x": node.func.value})
    yield Hit(
        "PRT323",
        node,
        "x.argmax() goes over the last axis in GRAPH_MODE, over all values in PYNATIVE_MODE",
        "use ops.argmax(x), or name the axis",
        Fix(((node, edit),), needs),
    )


@on(ast.Call)
def size_called(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.size(0)`: size is a number here, not a method."""
    assert isinstance(node, ast.Call)
    if _method(context, node) != "size" or node.keywords or len(node.args) > 1:
        return
    if not _tensor(context, node):
        return
    assert isinstance(node.func, ast.Attribute)
    values: dict[str, Value] = {"x": node.func.value}
    template = "{x}.shape"
    if node.args:
        template, values["axis"] = "{x}.shape[{axis}]", node.args[0]
    yield Hit(
        "PRT327",
        node,
        "size of a tensor is the number of its values, and cannot be called",
        "use x.shape",
        Fix(((node, Replace(template, values)),)),
    )


@on(ast.Call)
def in_place(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.add_(y)` as a statement."""
    assert isinstance(node, ast.Call)
    name = _method(context, node)
    if name not in IN_PLACE or not isinstance(context.parents.get(node), ast.Expr):
        return
    # A Parameter of the Cell is meant to be updated in place.
    if not _tensor(context, node) or _of_self(node.func):
        return
    yield Hit(
        "PRT324",
        node,
        f"x.{name}(...) as a statement can leave x as it was: modes and devices differ",
        f"assign a new value, as in x = x.{name.rstrip('_')}(...)",
    )


@on(ast.Call)
def filled(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `ops.full(shape, 1.5)` without a dtype, which gives integers."""
    assert isinstance(node, ast.Call)
    yield from _filled(context.qualified(node.func), node)


def _filled(qualified: str | None, node: ast.Call) -> Iterable[Hit]:
    if qualified != "mindspore.ops.full" or len(node.args) != 2:
        return
    if any(keyword.arg in ("dtype", None) for keyword in node.keywords):
        return
    value = node.args[1]
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    floating = isinstance(value, ast.Constant) and isinstance(value.value, float)
    floating |= isinstance(value, ast.Call) and getattr(value.func, "id", "") == "float"
    if floating:
        yield Hit(
            "PRT325",
            node,
            "ops.full without a dtype gives int64 and cuts the fraction off",
            "give dtype=, such as dtype=mindspore.float32",
        )


@on_class
def keep_probability(context: ClassContext) -> Iterable[Hit]:
    """Report `nn.Dropout(0.1)`: the first position is the probability to keep."""
    for node in context.constructor:
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            continue
        if context.qualified(node.func) != "mindspore.nn.Dropout":
            continue
        value = node.args[0]
        if (
            isinstance(value, ast.Constant)
            and isinstance(value.value, int | float)
            and 0 < value.value < LESS_THAN_HALF
        ):
            yield Hit(
                "PRT326",
                node,
                f"nn.Dropout({value.value}) keeps {value.value:.0%}: the first position is"
                " keep_prob",
                "write nn.Dropout(p=...) with the share to drop",
            )
