"""Find values that are taken from the graph to the host."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Hit, on


@on(ast.Call)
def to_host(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `.asnumpy()`, and `.tolist()` or `.numpy()` of a tensor."""
    assert isinstance(node, ast.Call)
    func = node.func
    if not isinstance(func, ast.Attribute) or node.args or node.keywords:
        return
    tensor = context.kind(func.value) in ("tensor", "maybe")
    if func.attr == "asnumpy" or (tensor and func.attr in ("tolist", "numpy")):
        yield Hit(
            "PRT304",
            node,
            f".{func.attr}() takes a value out of the graph: STRICT refuses it, LAX waits for it"
            " at every call",
            "keep it a tensor",
        )
