"""Plan items of dicts that a graph cannot set one by one."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import ReplaceStatement, Value


def plan_inner_module(context: PlanContext, node: ast.Assign) -> None:
    """Write `layer._modules[name] = module` as the call that gives a Cell an inner Cell."""
    match node.targets:
        case [ast.Subscript(value=ast.Attribute(value=owner, attr="_modules"), slice=name)]:
            pass
        case _:
            return
    known = context.inference.kind(owner).name in ("module", "modules", "unknown")
    if context.in_graph or not known or isinstance(name, ast.Slice):
        return
    values: dict[str, Value] = {"owner": owner, "name": name, "module": node.value}
    written = context.written("runtime.containers.add_module({owner}, {name}, {module})")
    context.edit(node, ReplaceStatement(written, values))
    context.site(node)


def plan_dict_item(context: PlanContext, node: ast.Assign) -> None:
    """Write `made[key] = None` as `made.update({key: None})`, and so a function.

    The compiler sets an item of a dict where it knows the value as data; None and functions it
    refuses there, and takes in a display (measured on 2.10).
    """
    item = updated_item(context, node)
    if item is None or not _is_no_data(context, node.value):
        return
    context.edit(node, by_update(item, node.value))
    context.site(node)


def by_update(item: ast.Subscript, value: ast.expr) -> ReplaceStatement:
    """Return the edit of a statement that sets an item of a dict: its `update` does that."""
    values: dict[str, Value] = {"self": item.value, "key": item.slice, "value": value}
    return ReplaceStatement("{self}.update({{key}: {value}})", values)


def updated_item(context: PlanContext, node: ast.AST) -> ast.Subscript | None:
    """Return the item of a dict that a statement of a graph sets, and nothing else."""
    if not context.in_graph or not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target = node.targets[0]
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        return target if context.inference.kind(target.value).name == "dict" else None
    return None


def _is_no_data(context: PlanContext, value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return any(_is_no_data(context, arm) for arm in (value.body, value.orelse))
    return isinstance(value, ast.Lambda) or context.inference.kind(value).name in (
        "none",
        "function",
    )
