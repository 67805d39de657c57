"""Find statements and expressions that the graph compiler does not read."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Fix, Hit, on
from porter.plan.edits import Drop, Replace, ReplaceStatement

REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Try: ("`try`", "test the condition instead, or decide it in __init__"),
    ast.TryStar: ("`try`", "test the condition instead, or decide it in __init__"),
    ast.NamedExpr: ("`:=`", "assign in a statement of its own before"),
    ast.Match: ("`match`", "write if and elif"),
    ast.Yield: ("`yield`", "return a tuple or a list"),
    ast.YieldFrom: ("`yield`", "return a tuple or a list"),
    ast.Nonlocal: ("`nonlocal`", "pass the value in and return it"),
    ast.Import: ("an import", "import at the top of the file"),
    ast.ImportFrom: ("an import", "import at the top of the file"),
    ast.AsyncFunctionDef: ("`async def`", "write a plain function"),
    ast.ClassDef: ("a class", "define the class at the top of the file"),
    ast.SetComp: ("a set comprehension", "write a list comprehension"),
}
MANAGED = ("jit_class",)


@on(*REFUSED)
def refused(_context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report what the parser of the compiler has no branch for."""
    what, hint = REFUSED[type(node)]
    yield Hit("PRT305", node, f"the graph compiler does not read {what}", hint)


@on(ast.Delete)
def deleted(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `del`; that of plain names can simply go, unless a comment is about it."""
    assert isinstance(node, ast.Delete)
    plain = all(isinstance(target, ast.Name) for target in node.targets)
    edit: Drop | ReplaceStatement = Drop()
    if any("#" in line for line in context.lines(node.lineno - 1, node.lineno)):
        edit = ReplaceStatement("pass")
    yield Hit(
        "PRT305",
        node,
        "the graph compiler does not read `del`",
        "drop it: the graph keeps nothing that is not used" if plain else "build it without",
        Fix(((node, edit),)) if plain else None,
    )


@on(ast.Set)
def set_display(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `{a, b}`; behind `in` a tuple says the same."""
    assert isinstance(node, ast.Set)
    parent = context.parents.get(node)
    fix = None
    if isinstance(parent, ast.Compare) and isinstance(parent.ops[-1], ast.In | ast.NotIn):
        template = "(" + ", ".join(f"{{v{i}}}" for i in range(len(node.elts))) + ",)"
        if len(node.elts) > 1:
            template = template.replace(",)", ")")
        values = {f"v{i}": item for i, item in enumerate(node.elts)}
        fix = Fix(((node, Replace(template, dict(values))),))
    yield Hit("PRT305", node, "the graph compiler does not read a set", "write a tuple", fix)


@on(ast.For, ast.While)
def loop_else(_context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report the `else` of a loop."""
    assert isinstance(node, ast.For | ast.While)
    if node.orelse:
        word = "for" if isinstance(node, ast.For) else "while"
        yield Hit(
            "PRT305",
            node.orelse[0],
            f"the graph compiler does not read the `else` of a `{word}`",
            "set a flag in the loop and test it behind it",
        )


@on(ast.ListComp, ast.GeneratorExp, ast.DictComp)
def nested_comprehension(_context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report two `for` in one comprehension."""
    assert isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp)
    if len(node.generators) > 1:
        yield Hit(
            "PRT305",
            node,
            "the graph compiler reads one `for` in a comprehension, not two",
            "write loops that append to a list",
        )


@on(ast.With)
def managed(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a context manager that is no jit_class of the project."""
    assert isinstance(node, ast.With)
    for item in node.items:
        call = item.context_expr
        callee = call.func if isinstance(call, ast.Call) else call
        if _is_jit_class(context, callee):
            continue
        yield Hit(
            "PRT305",
            node,
            "the graph compiler enters a `with` only for objects of a jit_class",
            "put the context around the call of the Cell, or use ops.stop_gradient for no_grad",
        )
        return


def _is_jit_class(context: Context, node: ast.expr) -> bool:
    reference = context.reference(node)
    defined = context.graph.project.define(reference) if reference else None
    info = context.graph.project.program.classes.get(defined or "")
    if info is None:
        # A name that nothing resolves may hold anything.
        return reference is None or context.qualified(node) is None
    return any(
        (context.graph.decorator(decorator, info.names) or "").endswith("jit_class")
        for decorator in info.node.decorator_list
    )
