"""Plan learning rates that a script reads or sets: MindSpore keeps them as parameters."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace, ReplaceStatement, Value
from porter.plan.inplace import has_torch

READING = "get_last_lr"


def plan_rates(context: PlanContext, call: ast.Call) -> bool:
    """Write `scheduler.get_last_lr()` as numbers; returns whether it was that."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != READING:
        return False
    if (
        context.in_graph
        or not has_torch(context)
        or READING in context.inference.defined
        or call.args
        or call.keywords
    ):
        return False
    written = context.written("[float(rate) for rate in {scheduler}.get_last_lr()]")
    context.edit(call, Replace(written, {"scheduler": function.value}))
    context.site(call)
    return True


def plan_rate(context: PlanContext, node: ast.Subscript) -> None:
    """Write `optimizer.param_groups[0]["lr"]` that is read as a number."""
    if isinstance(node.ctx, ast.Load) and _is_rate(context, node):
        context.edit(node, Replace("float({rate})", {"rate": node}))
        context.site(node)


def plan_rate_assignment(context: PlanContext, node: ast.Assign | ast.AugAssign) -> bool:
    """Write what a rate is set to as a float, which an optimizer takes; returns whether it is."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if not isinstance(target, ast.Subscript) or not _is_rate(context, target):
        return False
    text = ast.unparse(target).replace("'lr'", '"lr"')
    values: dict[str, Value] = {"value": node.value}
    if isinstance(node, ast.AugAssign):
        operator = OPERATORS.get(type(node.op))
        if operator is None:
            return False
        written = f"{text} = float({text}) {operator} {{value}}"
    elif len(node.targets) == 1 and context.inference.kind(node.value).name != "float":
        written = f"{text} = float({{value}})"
    else:
        return False
    context.edit(node, ReplaceStatement(written, values))
    context.site(node)
    return True


OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}


def _is_rate(context: PlanContext, node: ast.Subscript) -> bool:
    """Tell whether an item is the rate of a group of an optimizer's parameters."""
    if context.in_graph or not has_torch(context):
        return False
    if not (isinstance(node.slice, ast.Constant) and node.slice.value == "lr"):
        return False
    match node.value:
        case ast.Subscript(value=ast.Attribute(attr="param_groups")):
            return True
        case ast.Name(name):
            return any(_is_group(loop, name) for loop in ast.walk(context.names.module.tree))
    return False


def _is_group(loop: ast.AST, name: str) -> bool:
    """Tell whether a loop binds a name to groups of parameters."""
    if not isinstance(loop, ast.For | ast.comprehension):
        return False
    targets = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    parts = ast.walk(loop.iter)
    return name in targets and any(
        isinstance(part, ast.Attribute) and part.attr == "param_groups" for part in parts
    )
