"""Find methods that call the function of the module whose name they have."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Hit, on

HINT = "give one of the two another name, or bind the function to a second name in the module"


@on(ast.Name)
def own_name(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `return scale(x)` in a method called `scale`."""
    assert isinstance(node, ast.Name)
    method, owner = context.function.node, context.owner
    if (
        owner is None
        or node.id != method.name
        or node.id == "construct"
        or method is not owner.methods.get(node.id)
        or not isinstance(node.ctx, ast.Load)
        or node.id in context.scope.bound
    ):
        return
    top = context.names.top
    if node.id in top.bound or node.id in top.imports:
        message = f"in the method {node.id!r} a graph takes this name for the method itself"
        yield Hit("PRT348", node, message, HINT)
