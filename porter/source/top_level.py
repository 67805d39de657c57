"""Know what the statements of a module's top level bind and change, in branches of it too."""

from __future__ import annotations

import ast

NOTHING: frozenset[ast.stmt] = frozenset()


def top_level(tree: ast.Module, dead: frozenset[ast.stmt] = NOTHING) -> list[ast.stmt]:
    """Return a module's statements, those inside `if` and `try` at its top level included."""
    found: list[ast.stmt] = []
    queue = list(tree.body)
    while queue:
        statement = queue.pop(0)
        if statement in dead:
            continue
        if isinstance(statement, ast.If | ast.Try):
            queue = [*parts(statement), *queue]
        else:
            found.append(statement)
    return found


def parts(statement: ast.stmt) -> list[ast.stmt]:
    """Return the statements in the branches of a compound statement."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    handlers = getattr(statement, "handlers", [])
    return [
        *getattr(statement, "body", []),
        *(inner for handler in handlers for inner in handler.body),
        *getattr(statement, "orelse", []),
        *getattr(statement, "finalbody", []),
    ]


def assigned_names(statement: ast.stmt) -> list[str]:
    """Return the plain names that a statement assigns."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        targets = [statement.target]
    names = []
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Name):
            names.append(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            targets.extend(target.elts)
    return names


def changed_names(statement: ast.stmt, dead: frozenset[ast.stmt] = NOTHING) -> set[str]:
    """Return the names that a statement binds, or whose value it changes: `table["x"] = 1`."""
    if statement in dead:
        return set()
    match statement:
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return {statement.name}
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return {name for target in targets for name in _roots(target)}
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _roots(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            return _roots(owner)
        case ast.Expr(value=ast.Call(func=ast.Name("setattr"), args=[owner, *_])):
            return _roots(owner)
    found = {name for inner in parts(statement) for name in changed_names(inner, dead)}
    return found | _roots(statement.target) if isinstance(statement, ast.For) else found


def _roots(target: ast.expr) -> set[str]:
    """Return the names at the root of what is bound: `table` of `table["x"].y`."""
    if isinstance(target, ast.Tuple | ast.List):
        return {name for item in target.elts for name in _roots(item)}
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set()
