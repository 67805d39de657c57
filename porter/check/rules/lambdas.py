"""Find lambdas that the compiler cannot cut out of their line, and those that a graph loses."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import ClassContext, Context, Hit, on, on_class
from porter.source.closures import refused_place

MESSAGE = "a lambda in {} cannot be compiled: the compiler reads the whole line of it"
HINT = "give it a name with `def` in the file"
DISPLAYS: tuple[tuple[type[ast.AST], str], ...] = (
    (ast.Dict, "a dict"),
    (ast.Tuple, "a tuple"),
    (ast.List, "a list"),
    (ast.ListComp, "a comprehension"),
    (ast.IfExp, "a conditional expression"),
)


@on_class
def stored_lambda(context: ClassContext) -> Iterable[Hit]:
    """Report `self.name = {...: lambda}` where a compiled function uses `self.name`."""
    used = context.graph.used_attributes(context.info)
    for statement in context.constructor if used else ():
        if not isinstance(statement, ast.Assign):
            continue
        names = {name for target in statement.targets for name in _attributes_of(target)}
        if not names & used:
            continue
        for kind, what in DISPLAYS:
            if isinstance(statement.value, kind):
                for part in ast.walk(statement.value):
                    if isinstance(part, ast.Lambda):
                        yield Hit("PRT308", part, MESSAGE.format(what), HINT)


@on_class
def given_lambda(context: ClassContext) -> Iterable[Hit]:
    """Report a lambda that the constructor gives to another Cell of the project."""
    program = context.graph.project.program
    for node in context.constructor:
        if not isinstance(node, ast.Call):
            continue
        lambdas = [item for item in node.args if isinstance(item, ast.Lambda)]
        if not lambdas:
            continue
        reference = program.reference(node.func, context.names.top, context.names)
        defined = context.graph.project.define(reference) if reference else None
        info = program.classes.get(defined or "")
        if info is not None and "construct" in info.methods:
            yield Hit("PRT308", lambdas[0], MESSAGE.format("a call"), HINT)


@on(ast.Lambda)
def lost_lambda(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a lambda of a compiled function that is None when the graph runs."""
    assert isinstance(node, ast.Lambda)
    place = refused_place(node, context.parents)
    above = context.parents[node]
    target = above.targets[0] if isinstance(above, ast.Assign) else None
    if isinstance(target, ast.Subscript) and context.kind(target.value) == "dict":
        return  # PRT347 says it
    if place is not None:
        yield Hit("PRT319", node, f"a graph loses a lambda in {place}", HINT)


@on(ast.Name)
def module_lambda(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a table of lambdas of a module that the graph uses."""
    assert isinstance(node, ast.Name)
    reference = context.reference(node) if isinstance(node.ctx, ast.Load) else None
    statement = context.graph.project.program.constants.get(reference or "")
    if isinstance(statement, ast.Assign):
        for kind, what in DISPLAYS:
            if isinstance(statement.value, kind) and any(
                isinstance(part, ast.Lambda) for part in ast.iter_child_nodes(statement.value)
            ):
                yield Hit("PRT308", node, MESSAGE.format(what), HINT)


def _attributes_of(target: ast.expr) -> Iterable[str]:
    if isinstance(target, ast.Tuple):
        for item in target.elts:
            yield from _attributes_of(item)
    elif (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    ):
        yield target.attr
