"""Write loops over the places of a vector that are not zero as loops over all its places.

`for expert in mask.nonzero():` has as many turns as the values say, which no graph can. A loop over
every place that passes over those that are zero does the same.
"""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Before, Drop, Replace

NONZERO = ("torch.nonzero", "torch.argwhere")


def plan_nonzero_loop(context: PlanContext, node: ast.Assign) -> ast.expr | None:
    """Plan `hit = mask.nonzero()` and the loop over `hit`, where nothing else reads the name.

    Returns:
        the vector that is asked; None where it is another assignment, or another loop.
    """
    if not context.in_graph or context.function is None:
        return None
    vector = _asked(context, node.value)
    if vector is None or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return None
    name = node.targets[0].id
    uses = [
        inner
        for inner in context.program.below(context.function)
        if isinstance(inner, ast.Name) and inner.id == name and inner is not node.targets[0]
    ]
    loop = _loop_over(context, uses[0]) if len(uses) == 1 else None
    if loop is None or not isinstance(loop.target, ast.Name):
        return None
    rows = _row_numbers(loop, loop.target.id)
    if rows is None:
        return None
    following = loop.body
    if isinstance(rows, ast.Assign):
        context.edit(rows, Drop())
        context.vanished.update(ast.walk(rows))
        following = loop.body[1:]
    else:
        for row in rows:
            context.edit(row, Replace(loop.target.id))
    if not following:
        return None
    hits = context.written("runtime.indexing.hits")
    context.edit(node.value, Replace(f"{hits}({{vector}})", {"vector": vector}))
    context.edit(loop.iter, Replace(f"range({name}.shape[0])"))
    guard = f"if not {name}[{loop.target.id}]:\n    continue"
    context.edit(following[0], Before((guard,)))
    context.site(node.value)
    return vector


def refuse_nonzero_loop(context: PlanContext, node: ast.For) -> None:
    """Report a loop whose number of turns the values of a tensor decide, unless it was planned."""
    if not context.in_graph or context.function is None or node.iter in context.edits:
        return
    iterated = node.iter
    if isinstance(iterated, ast.Name):
        bound = [
            inner.value
            for inner in context.program.below(context.function)
            if isinstance(inner, ast.Assign) and ast.unparse(inner.targets[0]) == iterated.id
        ]
        iterated = bound[0] if len(bound) == 1 else iterated
    if _asked(context, iterated) is not None:
        context.find(
            node.iter,
            "PRT304",
            "how often the loop turns depends on the values of a tensor",
            hint="loop over all places, and multiply by zero or pass over those that do not count",
        )


def _asked(context: PlanContext, call: ast.expr) -> ast.expr | None:
    """Return the tensor whose places `call` gives one a row, None where it is another call."""
    if not isinstance(call, ast.Call) or call.keywords:
        return None
    if len(call.args) == 1 and context.names.qualified(call.func, context.here) in NONZERO:
        return call.args[0]
    method = call.func
    if isinstance(method, ast.Attribute) and method.attr == "nonzero" and not call.args:
        kind = context.inference.kind(method.value)
        return method.value if kind.name == "tensor" else None
    return None


def _loop_over(context: PlanContext, use: ast.Name) -> ast.For | None:
    """Return the loop over a name, or over `name[:]`."""
    assert context.function is not None
    parents = context.program.parents(context.function)
    iterated: ast.expr = use
    parent = parents[use]
    if isinstance(parent, ast.Subscript) and ast.unparse(parent) == f"{use.id}[:]":
        iterated, parent = parent, parents[parent]
    return parent if isinstance(parent, ast.For) and parent.iter is iterated else None


def _row_numbers(loop: ast.For, target: str) -> ast.Assign | list[ast.Subscript] | None:
    """Return `target = target[0]` at the start of a body, or the places that read `target[0]`.

    None where the row is used otherwise: a number in its place would not do the same.
    """
    first = loop.body[0]
    number = f"{target}[0]"
    if isinstance(first, ast.Assign) and ast.unparse(first) == f"{target} = {number}":
        return first
    nodes = [inner for statement in loop.body for inner in ast.walk(statement)]
    rows = [
        inner
        for inner in nodes
        if isinstance(inner, ast.Subscript) and ast.unparse(inner) == number
    ]
    names = [inner for inner in nodes if isinstance(inner, ast.Name) and inner.id == target]
    return rows if len(rows) == len(names) else None
