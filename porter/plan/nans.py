"""Tell which parts of a module have to do with nan: there it matters how a nan goes through."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext

_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def statements_about_nan(context: PlanContext) -> set[ast.stmt]:
    """Return the statements of a module that have to do with nan.

    A class or a function does where it names nan, or a function that is there for it. What a script
    does between them concerns all of it.
    """
    if "nan" not in context.names.module.text.lower():
        return set()
    body = context.names.module.tree.body
    found = {
        statement for statement in body if any(map(_names_nan, context.program.below(statement)))
    }
    own = any(not isinstance(statement, _DEFINITIONS) for statement in found)
    return set(body) if own else found


def _names_nan(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == "isnan" or name.startswith("nan")
        case ast.Constant(value=str(text)):
            return text.lower() == "nan"
    return False
