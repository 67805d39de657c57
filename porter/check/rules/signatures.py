"""Find signatures and decorators that the compiler takes in another way than Python."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import Context, Hit, on
from porter.source.program import FunctionInfo


@on(ast.FunctionDef)
def first_parameter(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a compiled method whose first parameter is not called self."""
    function = context.function
    if node is not function.node or function.info.owner is None:
        return
    decorators = {_last(context, item) for item in function.node.decorator_list}
    if decorators & {"staticmethod", "classmethod"}:
        return
    arguments = function.node.args
    if arguments.posonlyargs:
        yield Hit(
            "PRT307",
            arguments.posonlyargs[0],
            "a graph method cannot have positional-only parameters",
            "drop the `/`",
        )
    elif arguments.args and arguments.args[0].arg != "self":
        yield Hit(
            "PRT307",
            arguments.args[0],
            f"the first parameter of a graph method must be called self, not"
            f" {arguments.args[0].arg}",
            "rename it: the compiler counts it as an argument",
        )


@on(ast.Call)
def class_method(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a class method that is called through self."""
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Attribute):
        return
    method = context.graph.own_method(node.func, context.owner)
    if method is None:
        return
    if any(isinstance(d, ast.Name) and d.id == "classmethod" for d in method.node.decorator_list):
        yield Hit(
            "PRT307",
            node,
            f"the class method {node.func.attr} cannot be called through self in the graph",
            "make it a static method or a function",
        )


@on(ast.FunctionDef)
def decorated(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a decorator of the project that wraps what the compiler then reads without it."""
    function = context.function
    if node is not function.node:
        return
    for decorator in function.node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        reference = context.graph.project.program.reference(
            target, context.names.top, context.names
        )
        defined = context.graph.project.define(reference) if reference else None
        wrapper = context.graph.project.program.functions.get(defined or "")
        if wrapper is not None and _wraps(wrapper):
            yield Hit(
                "PRT312",
                decorator,
                f"the graph is compiled without the decorator {wrapper.node.name}: functools.wraps"
                f" leads the compiler to {function.node.name} itself",
                "write its effect into the function",
            )


def _wraps(wrapper: FunctionInfo) -> bool:
    """Tell whether a decorator returns a function under functools.wraps."""
    for part in ast.walk(wrapper.node):
        if part is wrapper.node or not isinstance(part, ast.FunctionDef):
            continue
        for decorator in part.decorator_list:
            if isinstance(decorator, ast.Call):
                scope = wrapper.names.scopes[wrapper.node]
                if wrapper.names.qualified(decorator.func, scope) == "functools.wraps":
                    return True
    return False


def _last(context: Context, decorator: ast.expr) -> str:
    name = context.graph.decorator(decorator, context.names) or ""
    return name.rpartition(".")[2]
