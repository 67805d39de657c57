"""Find functions within a function that see a name which is bound again before they are called.

Python reads a name of the enclosing function when the inner one is called. The graph compiler of
MindSpore takes the value that the name has where the inner one is defined, and says nothing
(measured on 2.10).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from porter.source.tree import children

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Closure = FunctionNode | ast.Lambda
Place = tuple[int, int]
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension)
CHANGES = ("append", "extend", "insert", "update", "pop", "remove", "clear", "setdefault")
"""Methods by which a list or a dict becomes another one; a graph makes a new value of it."""
LOSES = ("append", "extend", "insert", "setdefault")
"""Methods after which a lambda that they are given is None when the graph runs."""
KEEPS = (*LOSES, "update")
END: Place = (1 << 30, 0)


@dataclass(frozen=True, slots=True)
class LateBinding:
    """A function that is called after one of the names it sees has another value."""

    closure: Closure
    name: str
    binding: ast.AST


@dataclass(frozen=True, slots=True)
class _Binding:
    node: ast.AST
    start: Place
    end: Place


def late_bindings(function: FunctionNode, parents: dict[ast.AST, ast.AST]) -> list[LateBinding]:
    """Return the functions in the body of `function` whose names are bound again too early.

    Args:
        parents: what each node below the function is a child of.
    """
    closures = [node for node in _own_nodes(function) if isinstance(node, Closure)]
    if not closures:
        return []
    bindings = _bindings(function)
    found = []
    for closure in closures:
        for name in sorted(_seen(closure) & bindings.keys()):
            late = next(
                (item for item in bindings[name] if _is_late(item, closure, function, parents)),
                None,
            )
            if late is not None:
                found.append(LateBinding(closure, name, late.node))
                break
    return found


def refused_place(node: ast.Lambda, parents: dict[ast.AST, ast.AST]) -> str | None:
    """Return the place of a lambda in graph code where the compiler loses it, or None.

    Displays, conditional expressions and arguments keep it. What a list is given by a method or by
    `+` is None when the graph runs (measured on 2.10).
    """
    above: ast.AST = node
    while not isinstance(above := parents[above], ast.stmt):
        if isinstance(above, ast.BinOp):
            return "a sum of lists"
        if isinstance(above, ast.Call) and (_is_method(above, LOSES) or _compares(above)):
            return f"a call of {ast.unparse(above.func)}"
        if isinstance(above, ast.Call) and not _is_partial(above):
            return None
    targets = above.targets if isinstance(above, ast.Assign) else []
    if any(isinstance(target, ast.Subscript | ast.Attribute) for target in targets):
        return "an item or an attribute"
    return None


def _is_late(
    binding: _Binding,
    closure: Closure,
    function: FunctionNode,
    parents: dict[ast.AST, ast.AST],
) -> bool:
    """Tell whether a binding comes between the definition of a closure and a call of it."""
    around = [closure, *_above(closure, parents)]
    if binding.node in around and not isinstance(binding.node, LOOPS):
        return False
    if isinstance(binding.node, ast.comprehension):
        # Its variable is bound by every turn, and no closure within it is called before the last.
        return parents[binding.node] in around and not _is_called_at_once(closure, parents)
    if _exclusive(binding.node, around, parents):
        return False
    uses = _uses(closure, function, parents)
    after = (binding.start >= _end(closure)) and any(use > binding.end for use in uses)
    loops = [item for item in _above(binding.node, parents) if isinstance(item, LOOPS)]
    again = any(
        (loop not in around or END in uses)
        and any(_start(loop) <= use <= _end(loop) or use == END for use in uses)
        for loop in loops
        if loop in around or _start(loop) >= _end(closure)
    )
    return after or again


def _uses(closure: Closure, function: FunctionNode, parents: dict[ast.AST, ast.AST]) -> list[Place]:
    """Return where a closure may be called; `END` stands for any place after its definition."""
    if isinstance(closure, ast.Lambda):
        above: ast.AST = closure
        while not isinstance(above := parents[above], ast.stmt):
            if isinstance(above, ast.Call) and not _is_partial(above):
                return [END] if _is_method(above, KEEPS) else []
        if isinstance(above, ast.Return | ast.Expr):
            return []
        targets = above.targets if isinstance(above, ast.Assign) else []
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            return [END]
        handle = targets[0].id
    else:
        handle = closure.name
    places = []
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == handle and isinstance(node.ctx, ast.Load):
            above = parents[node]
            kept = isinstance(above, ast.Tuple | ast.List | ast.Dict | ast.Assign) or (
                isinstance(above, ast.Call) and above.func is not node and _is_method(above, KEEPS)
            )
            places.append(END if kept else _start(node))
    return places


def _is_method(call: ast.Call, names: tuple[str, ...]) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in names


def _compares(call: ast.Call) -> bool:
    return ast.unparse(call.func) in ("max", "min", "reduce", "functools.reduce")


def _is_partial(call: ast.Call) -> bool:
    return ast.unparse(call.func) in ("partial", "functools.partial")


def _is_called_at_once(closure: Closure, parents: dict[ast.AST, ast.AST]) -> bool:
    above = parents[closure]
    return isinstance(above, ast.Call) and not _is_partial(above) and not _is_method(above, KEEPS)


def _seen(closure: Closure) -> set[str]:
    """Return the names that a closure reads and does not bind; its defaults are read at once."""
    body = closure.body if isinstance(closure.body, list) else [closure.body]
    arguments = closure.args
    bound = {
        item.arg
        for item in [
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            *filter(None, (arguments.vararg, arguments.kwarg)),
        ]
    }
    names = [node for part in body for node in ast.walk(part) if isinstance(node, ast.Name)]
    bound |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names} - bound


def _bindings(function: FunctionNode) -> dict[str, list[_Binding]]:
    """Return where the body of a function binds or changes each name, closures left out."""
    found: dict[str, list[_Binding]] = {}

    def add(name: str, node: ast.AST, start: ast.AST, end: Place) -> None:
        found.setdefault(name, []).append(_Binding(node, _start(start), end))

    for node in _own_nodes(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr):
            targets = [node.target]
        elif isinstance(node, ast.For | ast.AsyncFor):
            for part in _named(node.target):
                add(part, node.target, node.target, _end(node.iter))
        elif isinstance(node, ast.comprehension):
            for part in _named(node.target):
                add(part, node, node.target, _end(node.target))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CHANGES
            and isinstance(node.func.value, ast.Name)
        ):
            add(node.func.value.id, node, node, _end(node))
        for target in targets:
            for part in _named(target):
                add(part, node, node, _end(node))
    return found


def _named(target: ast.expr) -> Iterator[str]:
    """Return the names that an assignment to `target` binds, or whose items it sets."""
    if isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from _named(item)
    elif isinstance(target, ast.Starred | ast.Subscript):
        yield from _named(target.value)
    elif isinstance(target, ast.Name):
        yield target.id


def _own_nodes(function: FunctionNode) -> list[ast.AST]:
    """Return the nodes of a function's body; of those in functions within it, their heads alone."""
    found: list[ast.AST] = list(function.body)
    for node in found:
        if not isinstance(node, Closure):
            found += children(node)
    return found


def _above(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> list[ast.AST]:
    found = []
    while (above := parents.get(node)) is not None:
        found.append(above)
        node = above
    return found


def _exclusive(node: ast.AST, around: list[ast.AST], parents: dict[ast.AST, ast.AST]) -> bool:
    """Tell whether a node stands in the other arm of an `if` than the closure."""
    child = node
    for above in _above(node, parents):
        if isinstance(above, ast.If) and above in around:
            inner = around[around.index(above) - 1]
            return (child in above.body) != (inner in above.body)
        child = above
    return False


def _start(node: ast.AST) -> Place:
    if isinstance(node, ast.comprehension):
        node = node.target
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def _end(node: ast.AST) -> Place:
    if isinstance(node, ast.comprehension):
        node = node.iter
    return (getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0)
