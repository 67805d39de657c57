"""Plan a method that calls the function of the module whose name it has."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import After, Before, Rename
from porter.plan.entries import refuse


def plan_own_name(context: PlanContext, node: ast.Name) -> None:
    """Give a function another name in a method of the same name, which a graph would call itself.

    The compiler looks for the name of a method among its own names (measured on 2.10).
    """
    method, owner = context.function, context.owner
    info = context.program.classes.get(owner or "")
    if not context.in_graph or info is None or method is None or node.id != method.name:
        return
    if method is not info.methods.get(node.id) or node.id == "forward":
        return
    mapped = context.names.qualified(node, context.here)
    top = context.names.top
    known = node.id in top.bound or node.id in top.imports
    if not known or context.here.shadows(node.id):
        return
    if mapped and context.program.mapping.find(mapped):
        return
    name = f"{node.id}_function"
    if name in context.taken:
        message = f"a graph takes {node.id!r} for the method itself, and {name!r} is taken"
        refuse(context, node, "PRT310", message, None)
        return
    context.edit(node, Rename(name))
    context.site(node)
    line = f"\n\n{name} = {node.id}"
    for statement in context.names.module.tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == node.id:
            _once(context, statement, After((line,)))
            return
    _once(context, info.node, Before((line,)))


def _once(context: PlanContext, statement: ast.stmt, edit: After | Before) -> None:
    if edit not in context.edits.get(statement, ()):
        context.edit(statement, edit)
