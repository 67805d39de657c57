"""Plan leaves: tensors that require a gradient become parameters, and keep theirs as torch does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from porter.plan.context import PlanContext
from porter.plan.edits import Drop, Replace, ReplaceStatement, Value
from porter.plan.uses import makes_leaf
from porter.source.flow_walk import Walk
from porter.source.flows import LEAF, root_name

if TYPE_CHECKING:
    from porter.plan.differentiating import Differentiation


def plan_switches(context: PlanContext, plan: Differentiation) -> None:
    """Plan `x.requires_grad_()` and `x.requires_grad = True` as statements."""
    for statement in plan.uses.switched:
        call: ast.Call | None = None
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner)) as call):
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                flag = given[0] if given else None
            case ast.Assign(targets=[ast.Attribute(value=owner)], value=flag):
                pass
            case _:
                continue
        off = isinstance(flag, ast.Constant) and flag.value is False
        if makes_leaf(plan.recorded, statement, owner) and isinstance(owner, ast.Name):
            _plan_new_leaf(context, statement, owner, off)
        elif call is not None:
            values: dict[str, Value] = {"owner": owner}
            template = "runtime.parameters.set_requires_grad({owner})"
            if flag is not None:
                values["flag"] = flag
                template = "runtime.parameters.set_requires_grad({owner}, {flag})"
            plan.handled.add(call)
            context.edit(statement, ReplaceStatement(context.written(template), values))
            context.site(call)


def _plan_new_leaf(
    context: PlanContext,
    statement: ast.stmt,
    owner: ast.Name,
    off: bool,
) -> None:
    context.vanished.update(ast.walk(statement))
    context.site(statement)
    if off:
        context.edit(statement, Drop())
        return
    written = context.written(f'{owner.id} = ms.Parameter({owner.id}, name="{owner.id}")')
    context.edit(statement, ReplaceStatement(written))


def is_leaf(context: PlanContext, statement: ast.stmt, name: str) -> bool:
    """Tell whether a name may be a leaf when a statement is reached: it must stay the same one."""
    plan = context.differentiation
    return plan is not None and plan.recorded.at(statement, name) >= LEAF


def plan_leaf(context: PlanContext, call: ast.Call) -> None:
    """Write `torch.zeros(2, requires_grad=True)` as a parameter, behind what else was planned."""
    plan = context.differentiation
    if plan is None or context.in_graph or call in context.vanished:
        return
    template = "ms.Parameter({value}%s)"
    match call.func:
        case ast.Attribute(value=owner, attr="requires_grad_") if call not in plan.handled:
            off = any(
                isinstance(item, ast.Constant) and item.value is False
                for item in (*call.args, *(keyword.value for keyword in call.keywords))
            )
            if off or call not in plan.created:
                return
            values: dict[str, Value] = {"value": owner}
            context.edits.pop(call, None)
        case _:
            if call not in plan.created or not context.edits.get(call):
                return
            values = {"value": call}
    name = plan.created[call]
    named = f', name="{name}"' if name else ""
    context.edit(call, Replace(context.written(template % named), values))
    context.site(call)


def cut_values(plan: Differentiation) -> set[ast.Attribute]:
    """Return every `x.data` that is read of what has a gradient, and that no update goes to."""
    found: set[ast.Attribute] = set()
    for statement, unit in plan.recorded.unit_of.items():
        updated = {
            node.func.value
            for node in ast.walk(statement)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr.endswith("_")
        }
        walk = Walk(plan.recorded, unit, dict(plan.recorded.before[statement]))
        for node in ast.walk(statement):
            if not isinstance(node, ast.Attribute) or node.attr != "data" or node in updated:
                continue
            if isinstance(node.ctx, ast.Load) and walk.flow(node.value):
                found.add(node)
    return found


def created_leaves(plan: Differentiation) -> dict[ast.Call, str]:
    """Return the calls that make leaves, with the name that each is bound to, if any."""
    found: dict[ast.Call, str] = {}
    for statement in plan.recorded.unit_of:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call) or node in found:
                continue
            on = any(
                keyword.arg == "requires_grad"
                and isinstance(keyword.value, ast.Constant)
                and keyword.value.value is True
                for keyword in node.keywords
            )
            function = ast.unparse(node.func)
            if function.endswith("Parameter"):
                continue
            switched = isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_"
            if not on and not (switched and not isinstance(statement, ast.Expr)):
                continue
            name = ""
            match statement:
                case ast.Assign(targets=[ast.Name(text)], value=value) if value is node:
                    name = text
            found[node] = name
    return found


def plan_gradient(context: PlanContext, node: ast.Attribute) -> bool:
    """Write `x.grad` as what is kept at the parameter, and `x.data` as what has no gradient.

    Returns whether it was one of them.
    """
    plan = context.differentiation
    if plan is not None and node in plan.cut:
        written = context.written("ops.stop_gradient({value})")
        context.edit(node, Replace(written, {"value": node.value}))
        context.site(node)
        return True
    if plan is None or node not in plan.reads:
        return False
    context.edit(
        node, Replace(context.written("runtime.gradients.gradient({value})"), {"value": node.value})
    )
    context.site(node)
    return True


def plan_leaf_update(context: PlanContext, node: ast.AugAssign, operator: str) -> bool:
    """Write `w -= rate * w.grad` of a leaf as an update: it is the same parameter afterwards."""
    plan = context.differentiation
    if plan is None or context.in_graph:
        return False
    target = node.target
    if isinstance(target, ast.Attribute) and target.attr == "data":
        updated: ast.expr = target.value
    elif isinstance(target, ast.Name) and plan.recorded.at(node, target.id) >= LEAF:
        updated = target
    else:
        return False
    if root_name(updated) is None:
        return False
    text = ast.unparse(updated)
    written = f"runtime.inplace.update({text}, {text} {operator} {{value}})"
    context.edit(node, ReplaceStatement(context.written(written), {"value": node.value}))
    context.site(node)
    return True
