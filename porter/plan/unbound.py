"""Give names that only one branch binds a value before the branch, as the graph compiler asks."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from porter.plan.context import PlanContext
from porter.plan.edits import Before

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def plan_unbound(context: PlanContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Bind to None, before an `if`, what one of its branches binds and later code reads.

    Python looks a name up when it is read; the compiler joins both branches at their end, and stops
    where one has no value, also if its condition is known and the other is never taken.
    """
    if not context.in_graph:
        return
    loads: dict[str, int] = {}
    for node in context.program.below(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            loads[node.id] = max(loads.get(node.id, 0), node.lineno)
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    bound = {item.arg for item in every}
    bound |= {item.arg for item in (arguments.vararg, arguments.kwarg) if item is not None}
    _Walk(context, loads).block(function.body, bound)


class _Walk:
    """Follow which names are bound on every path; `None` stands for a path that leaves."""

    def __init__(self, context: PlanContext, loads: dict[str, int]) -> None:
        self._context = context
        self._loads = loads

    def block(self, statements: Sequence[ast.stmt], bound: set[str]) -> set[str] | None:
        """Return the names that are bound behind the statements."""
        current: set[str] | None = set(bound)
        for statement in statements:
            if current is None:
                return None
            current = self._statement(statement, current)
        return current

    def _statement(self, node: ast.stmt, bound: set[str]) -> set[str] | None:
        if isinstance(node, _LEAVING):
            return None
        if isinstance(node, ast.If):
            return self._if(node, bound, is_outer=True)
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            # A loop may run no time at all: it binds nothing for what follows.
            inner = bound | (_targets(node.target) if not isinstance(node, ast.While) else set())
            self.block(node.body, inner)
            return bound
        if isinstance(node, ast.With | ast.AsyncWith):
            return self.block(node.body, bound)
        return bound | _bound_by(node)

    def _if(self, node: ast.If, bound: set[str], *, is_outer: bool) -> set[str] | None:
        bound = bound | _bound_within(node.test)
        first = self.block(node.body, bound)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            second = self._if(node.orelse[0], bound, is_outer=False)
        else:
            second = self.block(node.orelse, bound)
        if first is None or second is None:
            return second if first is None else first
        end = node.end_lineno or node.lineno
        some = _assigned(node) - bound
        missing = sorted(name for name in some - (first & second) if self._loads.get(name, 0) > end)
        # Before an `elif` there is no room: its names belong to the whole chain.
        if missing and is_outer and node not in self._context.vanished:
            lines = tuple(f"{name} = None" for name in missing)
            self._context.edit(node, Before(lines))
            self._context.site(node)
            return (first & second) | set(missing)
        return first & second


def _assigned(node: ast.If) -> set[str]:
    """Return the names that statements of the branches bind, those that leave apart."""
    found: set[str] = set()
    for body in (node.body, node.orelse):
        if body and isinstance(body[-1], _LEAVING):
            continue
        for statement in body:
            if isinstance(statement, ast.If):
                found |= _assigned(statement)
            else:
                found |= _bound_by(statement)
    return found


def _bound_by(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign):
        return {name for target in node.targets for name in _targets(target)}
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return _targets(node.target)
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return set()


def _bound_within(node: ast.expr) -> set[str]:
    """Return the names that an expression binds: they are assigned before its statement."""
    return {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}


def _targets(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Name):
        return {target.id}
    if isinstance(target, ast.Tuple | ast.List):
        return {name for item in target.elts for name in _targets(item)}
    return _targets(target.value) if isinstance(target, ast.Starred) else set()
