"""Find writes that reach another name in Python and not in the graph, or the other way round."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from porter.check.rule import Context, Fix, Hit, on
from porter.plan.edits import ReplaceStatement

GROWING = frozenset(["append", "extend", "insert", "remove", "clear", "pop", "reverse", "sort"])
OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
TENSORS = ("tensor", "maybe")


def _parameters(context: Context) -> set[str]:
    arguments = context.function.node.args
    return {
        item.arg for item in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    } - {"self"}


def _assigned_before(context: Context, name: str, line: int) -> bool:
    """Tell whether a name is bound to something new above a line of the function."""
    for part in context.nodes:
        if (
            isinstance(part, ast.Name)
            and part.id == name
            and isinstance(part.ctx, ast.Store)
            and part.lineno < line
            and not isinstance(context.parents.get(part), ast.AugAssign)
        ):
            return True
    return False


@on(ast.AugAssign)
def augmented(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x += 1` on a parameter: GRAPH changes the caller's tensor, PYNATIVE does not."""
    assert isinstance(node, ast.AugAssign)
    target = node.target
    if not isinstance(target, ast.Name) or type(node.op) not in OPERATORS:
        return
    # A parameter of construct is the caller's tensor all the same.
    if target.id not in _parameters(context) or _assigned_before(context, target.id, node.lineno):
        return
    if context.kind(target) not in TENSORS:
        return
    sign = OPERATORS[type(node.op)]
    edit = ReplaceStatement(f"{target.id} = {target.id} {sign} {{value}}", {"value": node.value})
    yield Hit(
        "PRT310",
        node,
        f"`{target.id} {sign}= ...` changes the caller's tensor in GRAPH_MODE only",
        f"write {target.id} = {target.id} {sign} ...",
        Fix(((node, edit),)),
    )


@on(ast.Assign)
def argument_written(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `t[...] = v` on a parameter of a helper: the caller's value stays as it was."""
    assert isinstance(node, ast.Assign)
    if context.function.role != "helper":
        return
    for target in node.targets:
        if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            continue
        name = target.value.id
        if (
            name in _parameters(context)
            and not _assigned_before(context, name, node.lineno)
            and not _returns(context)
        ):
            yield Hit(
                "PRT310",
                target,
                f"writing into the argument {name} has no effect on the caller's value",
                f"return {name} and assign the result where the function is called",
            )


@on(ast.Call)
def argument_grown(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a list parameter, or one of the module, that is changed."""
    assert isinstance(node, ast.Call)
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in GROWING:
        return
    if not isinstance(func.value, ast.Name) or not isinstance(context.parents.get(node), ast.Expr):
        return
    name = func.value.id
    own = name in _parameters(context) and context.function.role == "helper"
    kept = not _returns(context) or name in _mutable_defaults(context)
    if own and kept and not _assigned_before(context, name, node.lineno):
        what = f"the argument {name}"
    elif name not in context.scope.bound and name in context.names.top.bound:
        what = f"the list {name} of the module"
    else:
        return
    yield Hit(
        "PRT310",
        node,
        f"changing {what} has no effect outside of the compiled function",
        "return the value instead",
    )


def _returns(context: Context) -> bool:
    """Tell whether a function gives anything back: one that does not works by changing."""
    return any(isinstance(part, ast.Return) and part.value is not None for part in context.nodes)


def _mutable_defaults(context: Context) -> set[str]:
    """Return the parameters whose default is one list or dict for all calls."""
    arguments = context.function.node.args
    names = [item.arg for item in [*arguments.posonlyargs, *arguments.args]]
    pairs = zip(reversed(names), reversed(arguments.defaults), strict=False)
    return {name for name, default in pairs if isinstance(default, ast.List | ast.Dict)}


@dataclass(frozen=True, slots=True)
class _Alias:
    """A name that shares its values with `base`: all of them, or the part at an index."""

    base: str
    whole: bool


@on(ast.FunctionDef)
def aliased(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a write through a second name or a view where the first is used afterwards."""
    if node is not context.function.node:
        return
    aliases: dict[str, _Alias] = {}
    statements = [part for part in context.nodes if isinstance(part, ast.stmt)]
    for statement in sorted(statements, key=lambda part: part.lineno):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                base = _base(context, statement.value)
                aliases.pop(target.id, None)
                if base is not None and base != target.id:
                    aliases[target.id] = _Alias(base, isinstance(statement.value, ast.Name))
            elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                yield from _through(context, target, target.value.id, aliases, statement)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            # What an index gives is a value of its own to `+=`, in both modes.
            if name in aliases and aliases[name].whole:
                yield from _through(context, statement, name, aliases, statement)


def _through(
    context: Context,
    node: ast.AST,
    name: str,
    aliases: dict[str, _Alias],
    statement: ast.stmt,
) -> Iterable[Hit]:
    if name not in aliases:
        return
    base = aliases[name].base
    if _read_after(context, base, statement.lineno):
        yield Hit(
            "PRT311",
            node,
            f"{name} shares its values with {base}: the graph and PYNATIVE_MODE differ in whether"
            f" writing to {name} changes {base}",
            f"write to {base} itself, or make {name} from a new value",
        )


def _base(context: Context, value: ast.expr) -> str | None:
    """Return the name whose values an expression shares: the name, or an index of it."""
    if isinstance(value, ast.Subscript):
        if not isinstance(value.slice, ast.Constant) or not isinstance(value.slice.value, int):
            return None
        value = value.value
    if isinstance(value, ast.Name) and context.kind(value) in TENSORS:
        return value.id
    return None


def _read_after(context: Context, name: str, line: int) -> bool:
    """Tell whether a name is read below a line, before it is bound again."""
    uses = sorted(
        (part.lineno, isinstance(part.ctx, ast.Load))
        for part in context.nodes
        if isinstance(part, ast.Name) and part.id == name and part.lineno > line
    )
    return bool(uses) and any(load for number, load in uses if number == uses[0][0])
