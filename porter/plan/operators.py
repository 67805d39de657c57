"""Plan operators that mean something else in MindSpore than in Python or torch."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace, Value
from porter.source.dtypes import INTEGERS
from porter.source.narrowing import type_test


def plan_exclusive_or(context: PlanContext, node: ast.BinOp) -> None:
    """Write `a ^ b` of truth values as `a != b`: the graph has the operator for integers alone."""
    kinds = [context.inference.kind(item).name for item in (node.left, node.right)]
    if context.in_graph and kinds == ["bool", "bool"]:
        values: dict[str, Value] = {"left": node.left, "right": node.right}
        context.edit(node, Replace("{left} != {right}", values))
        context.site(node)


def plan_type_test(context: PlanContext, node: ast.Compare) -> bool:
    """Write `type(x) == list` as isinstance: the graph does not compare the type of a tensor.

    Only of Python's own containers, which have no subclasses in a graph.
    """
    asked = type_test(node)
    if asked is None or not context.in_graph:
        return False
    value, cls, turned = asked
    if (
        not isinstance(cls, ast.Name)
        or cls.id not in ("list", "tuple", "dict", "str")
        or context.names.top.imports.get(cls.id)
    ):
        return False
    template = f"{'not ' if turned else ''}isinstance({{value}}, {ast.unparse(cls)})"
    context.edit(node, Replace(template, {"value": value}))
    context.site(node)
    context.vanished.update([node.left, cls])
    if isinstance(node.left, ast.Call):
        context.vanished.add(node.left.func)
    return True


def plan_union(context: PlanContext, node: ast.BinOp) -> None:
    """Write `a | {...}` of dictionaries through the runtime: the graph has no such operator."""
    kinds = [context.inference.kind(item).name for item in (node.left, node.right)]
    displayed = isinstance(node.left, ast.Dict) or isinstance(node.right, ast.Dict)
    if context.in_graph and (displayed or kinds == ["dict", "dict"]):
        template = context.written("runtime.containers.united({left}, {right})")
        context.edit(node, Replace(template, {"left": node.left, "right": node.right}))
        context.site(node)


def plan_invert(context: PlanContext, node: ast.UnaryOp) -> None:
    """Write `~x` of whole numbers through the runtime: MindSpore gives truth values for it.

    Outside of a graph, where masks are rarer, the runtime looks at a dtype that is not known.
    """
    kind = context.inference.kind(node.operand)
    open_dtype = kind.dtype is None and not context.in_graph
    if kind.name == "tensor" and (kind.dtype in INTEGERS or open_dtype):
        template = context.written("runtime.elementwise.bitwise_not({value})")
        context.edit(node, Replace(template, {"value": node.operand}))
        context.site(node)


def plan_product(context: PlanContext, node: ast.BinOp) -> None:
    """Write `mask * 1` as another conversion: the graph compiler leaves the product out.

    Truth values stay truth values then, where torch gives whole numbers.
    """
    for value, number in ((node.left, node.right), (node.right, node.left)):
        kind = context.inference.kind(value)
        if not isinstance(number, ast.Constant) or ast.unparse(number) != "1":
            continue
        if kind.name != "tensor":
            continue
        if context.in_graph and kind.dtype in ("bool", None):
            known = kind.dtype == "bool"
            template = "{value}.astype(ms.int64)" if known else "{value} + 0"
            context.edit(node, Replace(context.written(template), {"value": value}))
            context.site(node)
            return


def plan_shift(context: PlanContext, node: ast.BinOp) -> None:
    """Write `x << n` and `x >> n`, which tensors of MindSpore do not have, as arithmetic."""
    kinds = [context.inference.kind(item).name for item in (node.left, node.right)]
    if "tensor" in kinds:
        operator = "*" if isinstance(node.op, ast.LShift) else "//"
        values: dict[str, Value] = {"left": node.left, "right": node.right}
        context.edit(node, Replace(f"{{left}} {operator} 2 ** {{right}}", values))
        context.site(node)


def plan_reversed(context: PlanContext, call: ast.Call) -> bool:
    """Write `reversed(layers)` of a list of modules as a slice: a graph cannot turn it around."""
    match call:
        case ast.Call(func=ast.Name("reversed"), args=[layers], keywords=[]):
            pass
        case _:
            return False
    known = context.inference.kind(layers).name == "modules"
    if not context.in_graph or not known or "reversed" in context.here.bound:
        return False
    context.edit(call, Replace("{layers}[::-1]", {"layers": layers}))
    context.site(call)
    return True


def plan_ranges(context: PlanContext, node: ast.Subscript) -> None:
    """Write `x[range(n), y]` as `x[list(range(n)), y]`: MindSpore takes no range as an index."""
    if context.inference.kind(node.value).name not in ("tensor", "unknown"):
        return
    for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        match part:
            case ast.Call(func=ast.Name("range")) if "range" not in context.here.bound:
                context.edit(part, Replace("list({range})", {"range": part}))
                context.site(part)
