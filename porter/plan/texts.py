"""Plan texts that are made of tensors: MindSpore writes them, their shapes and dtypes otherwise."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace
from porter.source.kinds import is_shape
from porter.types import Applicability, Severity

SHOWING = frozenset(
    ("print", "warn", "debug", "info", "warning", "warning_once", "error", "exception", "critical")
)
"""Calls whose text is for a reader: print, and the methods of loggers and of warnings."""
WRITTEN = {"tensor": "tensors", "dtype": "dtypes", "shape": "shapes"}


def plan_shown(context: PlanContext, node: ast.Call | ast.Raise | ast.Assert) -> None:
    """Remember the texts that a reader sees and no code computes with."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name not in SHOWING:
            return
    context.shown.update(ast.walk(node))


def plan_text(context: PlanContext, node: ast.Call | ast.JoinedStr) -> None:
    """Plan `str(x.shape)` and f-strings: a number in a format is read, other texts are reported."""
    if context.in_graph:
        return
    if isinstance(node, ast.JoinedStr):
        parts = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        for part in parts:
            kind = context.inference.kind(part.value)
            if part.format_spec is not None and kind.name == "tensor":
                # Only a tensor of one number takes a format in torch.
                context.edit(part.value, Replace("{value}.item()", {"value": part.value}))
                context.site(part.value)
        values = [part.value for part in parts if part.format_spec is None]
    elif isinstance(node.func, ast.Name) and node.func.id in ("str", "repr"):
        values = node.args[:1]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        values = node.args if isinstance(node.func.value, ast.Constant) else []
    else:
        return
    if node not in context.shown:
        for value in values:
            _report(context, value)


def _report(context: PlanContext, value: ast.expr) -> None:
    kind = context.inference.kind(value)
    # A shape that was made a tuple is written alike.
    last = value.func if isinstance(value, ast.Call) else value
    size = isinstance(last, ast.Attribute) and last.attr in ("shape", "size", "Size")
    name = "shape" if size and is_shape(kind) else kind.name
    if name in WRITTEN and kind.sure and (size or name != "shape"):
        context.find(
            value,
            "PRT211",
            f"MindSpore writes {WRITTEN[name]} otherwise than torch: the text differs",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
            hint="make the text of numbers: x.tolist(), tuple(x.shape)",
        )
