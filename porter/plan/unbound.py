"""Give names that one branch or a loop binds a value before it, as the graph compiler asks."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from porter.plan.context import PlanContext
from porter.plan.edits import Before

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def plan_unbound(context: PlanContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Bind to None, before an `if` or a loop, what only a part of it binds and later code reads.

    Python looks a name up when it is read; the compiler joins both branches at their end, and stops
    where one has no value, also if its condition is known and the other is never taken. A loop may
    run no time at all. Within a loop the place is before the loop: what one turn binds, the next
    one reads.
    """
    if not context.in_graph:
        return
    nodes = context.program.below(function)
    own = [
        (name, node.lineno, node.end_lineno or node.lineno)
        for node in nodes
        if isinstance(node, ast.For | ast.ListComp | ast.GeneratorExp | ast.DictComp)
        for name in _bound_over(node)
    ]
    loads: dict[str, list[int]] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            line = node.lineno
            # What a loop over other things binds is read as its own.
            if not any(name == node.id and start <= line <= end for name, start, end in own):
                loads.setdefault(node.id, []).append(line)
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    bound = {item.arg for item in every}
    bound |= {item.arg for item in (arguments.vararg, arguments.kwarg) if item is not None}
    _Walk(context, loads).block(function.body, bound)


class _Walk:
    """Follow which names are bound on every path; `None` stands for a path that leaves."""

    def __init__(self, context: PlanContext, loads: dict[str, list[int]]) -> None:
        self._context = context
        self._loads = loads
        self._loop: ast.stmt | None = None
        self._given: set[tuple[ast.stmt, str]] = set()

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
            return self._turns(node, bound)
        if isinstance(node, ast.With | ast.AsyncWith):
            return self.block(node.body, bound)
        return bound | _bound_by(node)

    def _turns(self, node: ast.For | ast.AsyncFor | ast.While, bound: set[str]) -> set[str]:
        """Follow a loop: what it binds has a value behind it only if it has one before."""
        outer = self._loop
        self._loop = outer or node
        target = set() if isinstance(node, ast.While) else _targets(node.target)
        names = _assigned(node) | target
        early = {name for name in names if self._is_read_first(node, name)}
        bound = bound | self._give(node, names, bound, early)
        self.block(node.body, bound | target)
        self._loop = outer
        return bound

    def _is_read_first(self, node: ast.stmt, name: str) -> bool:
        """Tell whether a loop reads a name above the place where it first binds it."""
        stores = [
            part.lineno
            for part in ast.walk(node)
            if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
        ]
        first = min(stores, default=node.lineno)
        return any(node.lineno < line < first for line in self._loads.get(name, ()))

    def _if(self, node: ast.If, bound: set[str], *, is_outer: bool) -> set[str] | None:
        bound = bound | _bound_within(node.test)
        first = self.block(node.body, bound)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            second = self._if(node.orelse[0], bound, is_outer=False)
        else:
            second = self.block(node.orelse, bound)
        if first is None or second is None:
            return second if first is None else first
        # Before an `elif` there is no room: its names belong to the whole chain.
        if not is_outer:
            return first & second
        return (first & second) | self._give(node, _assigned(node) - (first & second), bound)

    def _give(
        self, node: ast.stmt, names: set[str], bound: set[str], read: set[str] | None = None
    ) -> set[str]:
        """Bind to None the unbound names that code behind a statement reads, or are in `read`."""
        end = node.end_lineno or node.lineno
        missing = {
            name
            for name in names - bound
            if name in (read or ()) or max(self._loads.get(name, [0])) > end
        }
        if node in self._context.vanished:
            return set()
        place = self._loop or node
        new = sorted(name for name in missing if (place, name) not in self._given)
        self._given |= {(place, name) for name in new}
        if new:
            self._context.edit(place, Before(tuple(f"{name} = None" for name in new)))
            self._context.site(place)
        return missing


def _assigned(node: ast.If | ast.For | ast.AsyncFor | ast.While) -> set[str]:
    """Return the names that statements in the blocks bind, those that leave apart."""
    found: set[str] = set()
    for body in (node.body, node.orelse):
        if body and isinstance(body[-1], _LEAVING):
            continue
        for statement in body:
            if isinstance(statement, ast.If | ast.For | ast.AsyncFor | ast.While):
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


def _bound_over(node: ast.For | ast.ListComp | ast.GeneratorExp | ast.DictComp) -> set[str]:
    """Return the names that a loop or a comprehension gives to what it goes over."""
    if isinstance(node, ast.For):
        return _targets(node.target)
    return {name for loop in node.generators for name in _targets(loop.target)}


def _bound_within(node: ast.expr) -> set[str]:
    """Return the names that an expression binds: they are assigned before its statement."""
    return {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}


def _targets(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Name):
        return {target.id}
    if isinstance(target, ast.Tuple | ast.List):
        return {name for item in target.elts for name in _targets(item)}
    return _targets(target.value) if isinstance(target, ast.Starred) else set()
