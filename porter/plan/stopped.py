"""Stop gradients where torch records none: in blocks and functions under torch.no_grad."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.plan.context import PlanContext
from porter.plan.edits import Replace, ReplaceStatement
from porter.types import Applicability, Severity

CONSTANT = ("int", "float", "bool", "str", "none", "dtype", "device", "shape", "function", "class")
"""Kinds of value that no gradient flows through."""
HARMLESS = (ast.Pass, ast.Assert, ast.Raise, ast.Break, ast.Continue, ast.Delete)


def stops_gradients(context: PlanContext, expression: ast.expr) -> bool:
    """Tell whether an expression in a `with`, or a decorator, turns the recording off."""
    call = expression if isinstance(expression, ast.Call) else None
    callee = expression if call is None else call.func
    qualified = context.names.qualified(callee, context.here)
    entry = context.program.mapping.find(qualified) if qualified else None
    if entry is None or entry.kind != "context" or not entry.drop:
        return False
    if entry.overloads[0].result == "recording":
        # torch.set_grad_enabled(mode): only a literal says which.
        mode = call.args[0] if call is not None and call.args else None
        return not (isinstance(mode, ast.Constant) and mode.value is True)
    return entry.overloads[0].result == "stopped"


def switches_recording(context: PlanContext) -> bool:
    """Tell whether code outside of a graph stops or starts the recording of gradients."""
    named = [
        n for n in ast.walk(context.names.module.tree) if isinstance(n, ast.Name | ast.Attribute)
    ]
    found = (context.names.qualified(node, context.here) for node in named)
    entries = [context.program.mapping.find(name) for name in found if name]
    return not context.in_graph and any(
        entry is not None
        and entry.kind == "context"
        and entry.overloads[0].result is not None
        and entry.overloads[0].result in ("stopped", "recording")
        for entry in entries
    )


def plan_stopped(context: PlanContext, statements: Iterable[ast.stmt]) -> None:
    """Write `ops.stop_gradient` around what statements assign and return, those inside them too.

    Its place is the statement, after all else was planned for it. A change of a tensor in place
    stays as it is, and is reported: in torch, gradients pass it as if it had not been.
    """
    for statement in statements:
        if isinstance(statement, ast.If | ast.For | ast.While | ast.With | ast.Try):
            for block in ("body", "orelse", "finalbody"):
                plan_stopped(context, getattr(statement, block, []))
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return):
            _stop(context, statement)
        elif isinstance(statement, ast.AugAssign):
            if context.inference.kind(statement.target).name not in CONSTANT:
                _report(context, statement)
        elif isinstance(statement, ast.Expr):
            if not _stop_kept(context, statement) and context.edits.get(statement):
                _report(context, statement)
        elif not isinstance(statement, (*HARMLESS, ast.FunctionDef)):
            _report(context, statement)


def _stop(context: PlanContext, statement: ast.Assign | ast.AnnAssign | ast.Return) -> None:
    value = statement.value
    if value is None or isinstance(value, ast.Constant) or statement in context.vanished:
        return
    if context.inference.kind(value).name in CONSTANT:
        return
    if isinstance(statement, ast.Return):
        target = "return"
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = f"{_target(statement.targets[0])} ="
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        target = f"{statement.target.id} ="
    else:
        target = ""
    targets = [part for part in ast.walk(statement) if isinstance(part, ast.Name | ast.Attribute)]
    planned = any(context.edits.get(part) for part in targets if not isinstance(part.ctx, ast.Load))
    if not target or planned or context.edits.get(statement):
        _report(context, statement)
        return
    template = context.written(f"{target} ops.stop_gradient({{value}})")
    context.edit(statement, ReplaceStatement(template, {"value": value}))
    context.site(statement)


def _stop_kept(context: PlanContext, statement: ast.Expr) -> bool:
    """Stop the gradient of what a list is given; returns whether a statement does that."""
    match statement.value:
        case ast.Call(func=ast.Attribute(attr="append"), args=[value], keywords=[]):
            if context.inference.kind(value).name not in CONSTANT:
                written = context.written("ops.stop_gradient({value})")
                context.edit(value, Replace(written, {"value": value}))
                context.site(statement)
            return True
        case ast.Call(func=ast.Attribute(attr="extend" | "insert" | "update" | "add")):
            _report(context, statement)
            return True
    return False


def _target(target: ast.expr) -> str:
    """Return the source of what is assigned to, a tuple without parentheses."""
    if isinstance(target, ast.Tuple) and len(target.elts) > 1:
        return ", ".join(map(ast.unparse, target.elts))
    return ast.unparse(target)


def _report(context: PlanContext, statement: ast.stmt) -> None:
    context.find(
        statement,
        "PRT209",
        "gradients flow through this statement, where torch records none",
        applicability=Applicability.REVIEW,
        severity=Severity.WARNING,
    )
