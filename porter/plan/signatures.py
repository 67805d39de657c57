"""Plan what a graph asks of the signature of an object that it calls."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace


def plan_signature(context: PlanContext, node: ast.Call) -> bool:
    """Plan `set(inspect.signature(layer.forward).parameters.keys())`; returns whether it is one.

    The names are found while the graph is compiled, as a tuple, which may be asked for them.
    """
    asked = node
    if isinstance(node.func, ast.Name) and node.func.id in ("set", "list", "tuple"):
        if len(node.args) != 1 or node.keywords:
            return False
        asked_of = node.args[0]
    else:
        asked_of = asked
    if isinstance(asked_of, ast.Call):
        keys = asked_of.func
        if not (isinstance(keys, ast.Attribute) and keys.attr == "keys"):
            return False
        asked_of = keys.value
    match asked_of:
        case ast.Attribute(value=ast.Call(args=[function], keywords=[]) as call, attr="parameters"):
            pass
        case _:
            return False
    if context.names.qualified(call.func, context.here) != "inspect.signature":
        return False
    owner = function
    if isinstance(function, ast.Attribute) and function.attr in ("__call__", "forward"):
        owner = function.value
    written = context.written("runtime.calling.parameter_names({owner})")
    context.vanished.update(set(ast.walk(node)) - set(ast.walk(owner)) - {node})
    context.edit(node, Replace(written, {"owner": owner}))
    context.site(node)
    return True
