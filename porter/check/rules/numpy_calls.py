"""Find tensors that are made from host data in the graph, and NumPy calls beside tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check import creation
from porter.check.kinds import TENSOR_CLASSES
from porter.check.rule import Context, Fix, Hit, on
from porter.plan.edits import Replace

PLAIN_TENSORS = TENSOR_CLASSES - {
    "mindspore.Parameter",
    "mindspore.common.Parameter",
    "mindspore.common.parameter.Parameter",
}
ARRAYS = frozenset(
    [
        "ones",
        "zeros",
        "arange",
        "array",
        "full",
        "eye",
        "linspace",
        "empty",
        "asarray",
        "tri",
        "triu",
    ]
)
DRAWING = ("numpy.random.", "random.")
NO_DRAW = ("seed", "get_state", "set_state", "getstate", "setstate", "default_rng", "RandomState")
TENSORS = ("tensor", "maybe")
UNARY = {
    "exp": "exp",
    "log": "log",
    "sqrt": "sqrt",
    "abs": "abs",
    "sin": "sin",
    "cos": "cos",
    "square": "square",
    "isinf": "isinf",
    "isnan": "isnan",
    "floor": "floor",
    "ceil": "ceil",
}


def is_numpy(context: Context, node: ast.AST) -> bool:
    """Tell whether a node is a call of a NumPy function."""
    return isinstance(node, ast.Call) and (context.qualified(node.func) or "").startswith("numpy.")


def tensor_call(context: Context, node: ast.AST) -> bool:
    """Tell whether a node makes a tensor from data."""
    return isinstance(node, ast.Call) and context.qualified(node.func) in PLAIN_TENSORS


@on(ast.Call)
def host_tensor(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `Tensor(data)` where the data depend on a size or a tensor."""
    if not tensor_call(context, node):
        return
    assert isinstance(node, ast.Call)
    data = creation.first_argument(node, "input_data")
    if data is None or not context.kinds.changing(data):
        return
    if _draws(context, data):
        yield Hit(
            "PRT301",
            node,
            "a tensor is made from NumPy data in the graph: with dynamic shapes STRICT refuses it,"
            " and in LAX a layer behind it can fail",
            "draw it with ops",
            creation.replacement(context, node, data),
        )
        return
    if any(is_numpy(context, part) for part in ast.walk(data)):
        yield Hit(
            "PRT301",
            node,
            "a tensor is made from NumPy data in the graph: with dynamic shapes STRICT refuses it,"
            " and in LAX a layer behind it can fail",
            "make it with ops, such as ops.ones(shape, dtype)",
            creation.replacement(context, node, data),
        )
    elif isinstance(data, ast.List | ast.Tuple) or context.kind(data) in (*TENSORS, "dim"):
        yield Hit(
            "PRT301",
            node,
            "Tensor(...) of a value of the graph is made on the host: STRICT refuses it",
            "use ops.scalar_to_tensor for a number, ops.stack for several, the tensor itself else",
            creation.wrapped_value(context, node, data),
        )


def _draws(context: Context, node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.Call)
        and (context.qualified(part.func) or "").startswith("numpy.random.")
        for part in ast.walk(node)
    )


@on(ast.Call)
def drawn_once(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report random numbers of NumPy or Python that the graph draws once, for all calls."""
    assert isinstance(node, ast.Call)
    qualified = context.qualified(node.func) or ""
    if not qualified.startswith(DRAWING) or context.kinds.changing(node):
        return
    if qualified.rpartition(".")[2] in NO_DRAW:
        return
    parent = context.parents.get(node)
    fix = None
    if parent is not None and tensor_call(context, parent):
        assert isinstance(parent, ast.Call)
        fix = creation.replacement(context, parent, node)
    yield Hit(
        "PRT303",
        node,
        f"{qualified} is drawn when the graph is compiled: every call gets the same numbers",
        "draw with ops, such as ops.standard_normal(shape)",
        fix,
    )


@on(ast.Call)
def beside_tensors(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a NumPy call of a tensor or a size whose result is not put into a Tensor at once."""
    assert isinstance(node, ast.Call)
    qualified = context.qualified(node.func) or ""
    if not qualified.startswith("numpy.") or _inside_reported(context, node):
        return
    parts = [*node.args, *(item.value for item in node.keywords)]
    changing = [part for part in parts if context.kinds.changing(part)]
    name = qualified.removeprefix("numpy.")
    if changing:
        if all(context.kind(part) == "dtype" for part in changing):
            return
        yield Hit(
            "PRT302",
            node,
            f"numpy.{name} of a value of the graph runs on the host: STRICT refuses it",
            _hint(name),
            _numpy_fix(context, node, name),
        )
    elif name in ARRAYS and isinstance(context.parents.get(node), ast.BinOp):
        parent = context.parents[node]
        assert isinstance(parent, ast.BinOp)
        other = parent.right if parent.left is node else parent.left
        if context.kind(other) in TENSORS:
            yield Hit(
                "PRT302",
                node,
                f"numpy.{name} gives an array, which no operator of tensors takes",
                "make a tensor of it, or use ops",
            )


def _hint(name: str) -> str:
    if name in UNARY:
        return f"use ops.{UNARY[name]}"
    if name == "prod":
        return "multiply the sizes, or reshape to -1"
    return "use ops, or work it out in __init__"


def _numpy_fix(context: Context, node: ast.Call, name: str) -> Fix | None:
    if len(node.args) != 1 or node.keywords:
        return None
    argument = node.args[0]
    if name == "sqrt" and context.kind(argument) == "dim":
        return Fix(((node, Replace("{n} ** 0.5", {"n": argument})),))
    if name in UNARY and context.kind(argument) == "tensor":
        template, needs = context.spelled(f"ops.{UNARY[name]}({{x}})")
        return Fix(((node, Replace(template, {"x": argument})),), needs)
    return None


def _inside_reported(context: Context, node: ast.AST) -> bool:
    """Tell whether an outer call is reported already: a tensor's, or another one of NumPy."""
    parent = context.parents.get(node)
    while parent is not None and isinstance(parent, ast.expr | ast.keyword):
        if tensor_call(context, parent):
            return True
        if is_numpy(context, parent):
            return True
        parent = context.parents.get(parent)
    return False
