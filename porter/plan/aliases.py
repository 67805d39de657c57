"""Tell which names of a function or script may share the memory of a tensor."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from porter.plan.sharing import sharing

Code = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
KEEPING = frozenset(("append", "insert", "extend", "add", "setdefault"))
MAKING = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Constant)
_END = 10**9


@lru_cache(maxsize=64)
def fresh_names(node: Code, calls: frozenset[ast.Call], until: int = _END) -> frozenset[str]:
    """Return names whose tensors no other name can share memory with.

    Args:
        calls: those whose result may be their first argument.
        until: the last line that counts.
    """
    fresh: dict[str, bool] = {}
    shared: set[str] = set()
    for inner in ast.walk(node):
        if getattr(inner, "lineno", 0) > until:
            continue
        if isinstance(inner, ast.Assign | ast.AnnAssign) and inner.value is not None:
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            # A name that is bound to its own tensor again gives it no second name.
            others = set(sharing(inner.value, calls)) - (set(names) if len(targets) == 1 else set())
            shared |= others
            made = not others and isinstance(inner.value, MAKING) and len(targets) == 1
            for name in names:
                fresh[name] = fresh.get(name, True) and made
        elif isinstance(inner, ast.Call) and _keeps_arguments(inner):
            for argument in inner.args:
                shared.update(sharing(argument, calls))
        elif isinstance(inner, ast.For | ast.AsyncFor | ast.comprehension):
            shared.update(sharing(inner.iter, calls))
        elif isinstance(inner, ast.NamedExpr):
            shared.update((inner.target.id, *sharing(inner.value, calls)))
        elif isinstance(inner, ast.Yield) and inner.value is not None:
            shared.update(sharing(inner.value, calls))
    return frozenset(name for name, made in fresh.items() if made and name not in shared)


@lru_cache(maxsize=64)
def viewed_names(node: Code, calls: frozenset[ast.Call], until: int = _END) -> frozenset[str]:
    """Return names of tensors of which there may be a view: another tensor in the same memory.

    Two names of one tensor are no view. The arguments are those of `fresh_names`.
    """
    same: list[set[str]] = []
    viewed: set[str] = set()
    again: set[str] = set()  # bound to a view of their own tensor, which another name may have
    targets: Sequence[ast.expr]
    for inner in ast.walk(node):
        if getattr(inner, "lineno", 0) > until:
            continue
        if isinstance(inner, ast.Assign | ast.AnnAssign) and inner.value is not None:
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            value = inner.value
        elif isinstance(inner, ast.For | ast.AsyncFor):
            targets, value = [inner.target], inner.iter
        elif isinstance(inner, ast.NamedExpr):
            targets, value = [inner.target], inner.value
        else:
            continue
        held = {name for target in targets for name in bound_names(target)}
        others = set(sharing(value, calls))
        same.append(held | others)
        if others - held and not _is_same(value):
            viewed |= held | others
        elif others and not _is_same(value):
            again |= held
    viewed |= {name for name in again if any(name in group and len(group) > 1 for group in same)}
    changed = True
    while changed:
        grown = viewed.union(*(group for group in same if group & viewed))
        changed, viewed = grown != viewed, grown
    return frozenset(viewed)


def last_line(node: Code, statement: ast.AST) -> int:
    """Return the last line that may have run before a statement: a loop comes back to its end."""
    line: int = getattr(statement, "lineno", _END)
    ends = [
        inner.end_lineno or _END
        for inner in ast.walk(node)
        if isinstance(inner, ast.For | ast.AsyncFor | ast.While)
        and inner.lineno <= line <= (inner.end_lineno or _END)
    ]
    return max(ends, default=line - 1)


def _is_same(value: ast.expr) -> bool:
    """Tell whether a value is tensors themselves: a name, a display of names, an updated tensor."""
    match value:
        case ast.Name():
            return True
        case ast.Tuple() | ast.List() | ast.Set():
            return all(_is_same(item) for item in value.elts)
        case ast.IfExp():
            return _is_same(value.body) and _is_same(value.orelse)
        case ast.Call(func=ast.Attribute() as func):
            return func.attr.endswith("_") and _is_same(func.value)
    return False


def bound_names(target: ast.expr) -> set[str]:
    """Return the names that an assignment to a target binds or changes."""
    if isinstance(target, ast.Name):
        return {target.id}
    if isinstance(target, ast.Tuple | ast.List):
        return {name for item in target.elts for name in bound_names(item)}
    return bound_names(target.value) if isinstance(target, ast.Starred | ast.Subscript) else set()


def _keeps_arguments(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in KEEPING
