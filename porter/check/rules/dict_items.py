"""Find items of a dict that a graph cannot set."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Fix, Hit, on
from porter.plan.dict_items import by_update

HINT = "write the dict as a display, or give the item to its update()"


@on(ast.Assign)
def item_without_data(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `made[key] = None` and `made[key] = lambda ...` of a dict."""
    assert isinstance(node, ast.Assign)
    target = node.targets[0]
    if (
        len(node.targets) != 1
        or not isinstance(target, ast.Subscript)
        or not isinstance(target.value, ast.Name)
        or context.kind(target.value) != "dict"
        or not _is_no_data(node.value)
    ):
        return
    fix = Fix(((node, by_update(target, node.value)),))
    what = "a lambda" if isinstance(node.value, ast.Lambda) else "None"
    message = f"an item of the dict {target.value.id!r} cannot be set to {what} in a graph"
    yield Hit("PRT347", node, message, HINT, fix)


def _is_no_data(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_no_data(value.body) or _is_no_data(value.orelse)
    return isinstance(value, ast.Lambda) or (
        isinstance(value, ast.Constant) and value.value is None
    )
