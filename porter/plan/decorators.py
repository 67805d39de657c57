"""Know decorators of the source that give back what they decorate: they only take note of it."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext

Function = ast.FunctionDef | ast.AsyncFunctionDef


def gives_back(context: PlanContext, callee: ast.expr, decorator: ast.expr) -> bool:
    """Tell whether a decorator of the source returns the very function or class it is given."""
    program = context.program
    reference = program.reference(callee, context.here, context.names)
    function = program.functions.get(reference or "")
    if function is None:
        return False
    if not isinstance(decorator, ast.Call):
        return _returns_first(function.node)
    inner = [item for item in function.node.body if isinstance(item, ast.FunctionDef)]
    if not inner or not all(map(_returns_first, inner)):
        return False
    made = {item.name for item in inner}
    returned = _returned(function.node)
    return bool(returned) and all(isinstance(r, ast.Name) and r.id in made for r in returned)


def _returns_first(function: Function) -> bool:
    arguments = [*function.args.posonlyargs, *function.args.args]
    returned = _returned(function)
    if not arguments or not returned or not isinstance(function.body[-1], ast.Return):
        return False
    first = arguments[0].arg
    bound = any(
        isinstance(node, ast.Name) and node.id == first and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(function)
    )
    return not bound and all(isinstance(r, ast.Name) and r.id == first for r in returned)


def _returned(function: Function) -> list[ast.expr | None]:
    """Return what the function itself returns, without the functions in it."""
    found: list[ast.expr | None] = []
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            found.append(node.value)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
    return found
