"""Plan functions within functions: a graph takes the names that they see where they are defined."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.dict_items import updated_item
from porter.plan.entries import refuse
from porter.source.closures import Closure, FunctionNode, late_bindings, refused_place


def plan_closures(context: PlanContext, function: FunctionNode) -> None:
    """Refuse lambdas that a graph loses, and functions that see a name from too early."""
    below = context.program.below(function)
    if not context.in_graph or not any(isinstance(node, Closure) for node in below[1:]):
        return
    parents = context.program.parents(function)
    for node in below:
        place = refused_place(node, parents) if isinstance(node, ast.Lambda) else None
        if place is not None and updated_item(context, parents[node]) is None:
            refuse(context, node, "PRT319", f"a graph loses a lambda in {place}", None)
    for late in late_bindings(function, parents):
        line = getattr(late.binding, "lineno", None)
        where = f"in line {line}" if line is not None else "by each turn of its loop"
        message = (
            f"a graph calls this function with the {late.name!r} from before it is set {where}"
        )
        refuse(context, late.closure, "PRT318", message, None)
