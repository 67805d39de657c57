"""Find functions within a compiled function that see a name from before it is bound again."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Hit, on
from porter.source.closures import late_bindings

HINT = "give it the value as a parameter, or define it after the last assignment"


@on(ast.FunctionDef)
@on(ast.AsyncFunctionDef)
def bound_after(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report functions that are called after one of the names they read has another value."""
    if node is not context.function.node:
        return
    for late in late_bindings(context.function.node, context.parents):
        message = (
            f"a graph calls this function with the value that {late.name!r} had where it is "
            "defined; Python takes the one that it has when it is called"
        )
        yield Hit("PRT318", late.closure, message, HINT)
