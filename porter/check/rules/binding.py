"""Find calls that give one parameter two values."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Hit, on
from porter.source.program import FunctionDef

HINT = "give the parameter one value: by position or by name"


@on(ast.Call)
def bound_twice(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a parameter that is given by position and by name, or by name twice."""
    assert isinstance(node, ast.Call)
    function = _called(context, node)
    if function is not None:
        names, bare = function
        count = sum(not isinstance(item, ast.Starred) for item in node.args)
        by_position = set(names[:count])
        for name in sorted(by_position & _keywords(node)):
            yield _hit(node, name, bare)
    yield from _repeated(node)
    if function is not None:
        yield from _through_kwargs(context, node)
    yield from _partial(context, node)


def _hit(node: ast.Call, name: str, function: str) -> Hit:
    return Hit(
        "PRT313",
        node,
        f'{function} gets two values for {name}: the compiler says "Multiply values for specific'
        f' argument: {name}"',
        HINT,
    )


def _keywords(node: ast.Call) -> set[str]:
    """Return the names given by keyword, those in `**{...}` displays included."""
    names = {item.arg for item in node.keywords if item.arg is not None}
    for item in node.keywords:
        if item.arg is None:
            names |= _keys(item.value)
    return names


def _keys(node: ast.expr) -> set[str]:
    if not isinstance(node, ast.Dict):
        return set()
    return {
        key.value
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _repeated(node: ast.Call) -> Iterable[Hit]:
    """Report `f(b=x, **{"b": y})`: Python refuses it, the graph takes the last."""
    seen: set[str] = set()
    for item in node.keywords:
        names = {item.arg} if item.arg is not None else _keys(item.value)
        for name in sorted(seen & names):
            yield Hit(
                "PRT313",
                node,
                f"{name} is given twice by name: Python refuses it, the graph takes the last",
                HINT,
            )
        seen |= names


def _parameters(function: FunctionDef, method: bool) -> list[str]:
    names = [item.arg for item in [*function.args.posonlyargs, *function.args.args]]
    return names[1:] if method and names else names


def _called(context: Context, node: ast.Call) -> tuple[list[str], str] | None:
    """Return the parameters of what is called, and its name."""
    found = _definition(context, node)
    if found is None:
        return None
    function, method = found
    return _parameters(function, method), ast.unparse(node.func)


def _definition(context: Context, node: ast.Call) -> tuple[FunctionDef, bool] | None:
    func = node.func
    if isinstance(func, ast.Attribute):
        own = context.graph.own_method(func, context.owner)
        if own is not None:
            static = any(
                isinstance(d, ast.Name) and d.id == "staticmethod" for d in own.node.decorator_list
            )
            return own.node, not static
        if isinstance(func.value, ast.Name) and func.value.id == "self" and context.owner:
            cls = context.kinds.attribute_class(context.owner.qualified, func.attr)
            construct = context.graph.project.method(cls, "construct") if cls else None
            if construct is not None:
                return construct.node, True
    if isinstance(func, ast.Name | ast.Attribute):
        helper = context.graph.helper(func, context.function)
        if helper is not None:
            return helper.node, False
    return None


def _through_kwargs(context: Context, node: ast.Call) -> Iterable[Hit]:
    """Report a keyword that a function takes into **kwargs and passes on beside one of its own."""
    found = _definition(context, node)
    if found is None or found[0].args.kwarg is None:
        return
    function = found[0]
    collected = _keywords(node) - {
        item.arg for item in [*function.args.args, *function.args.kwonlyargs]
    }
    kwargs = function.args.kwarg
    assert kwargs is not None
    nodes = context.graph.project.program.below(function)
    collected -= _taken_out(nodes, kwargs.arg)
    for part in nodes if collected else ():
        if not isinstance(part, ast.Call):
            continue
        passed = any(
            item.arg is None and isinstance(item.value, ast.Name) and item.value.id == kwargs.arg
            for item in part.keywords
        )
        own = {item.arg for item in part.keywords if item.arg is not None}
        for name in sorted(collected & own) if passed else ():
            yield Hit(
                "PRT313",
                node,
                f"{name} goes through **{kwargs.arg} to a call that gives it as well: Python"
                " refuses it, the graph takes the last",
                HINT,
            )


def _taken_out(nodes: tuple[ast.AST, ...], kwargs: str) -> set[str]:
    """Return the names that a function removes from its **kwargs: taken out, or left out of it."""
    found: set[str] = set()
    for part in nodes:
        match part:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="pop"),
                args=[ast.Constant(value=str(key)), *_],
            ) if name == kwargs:
                found.add(key)
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.DictComp(
                    generators=[
                        ast.comprehension(
                            ifs=[
                                ast.Compare(
                                    ops=[ast.NotEq()], comparators=[ast.Constant(value=str(key))]
                                )
                            ]
                        )
                    ]
                ),
            ) if name == kwargs:
                found.add(key)
    return found


def _partial(context: Context, node: ast.Call) -> Iterable[Hit]:
    """Report a call of `partial(f, a=...)` that gives a by position."""
    if not isinstance(node.func, ast.Name) or not node.args:
        return
    for part in context.partials:
        if not any(isinstance(t, ast.Name) and t.id == node.func.id for t in part.targets):
            continue
        made = part.value
        assert isinstance(made, ast.Call)
        inner = made.args[0] if made.args else None
        if not isinstance(inner, ast.Name | ast.Attribute):
            continue
        helper = context.graph.helper(inner, context.function)
        if helper is None:
            continue
        names = _parameters(helper.node, False)[len(made.args) - 1 :]
        for name in sorted(set(names[: len(node.args)]) & _keywords(made)):
            yield _hit(node, name, node.func.id)
