"""Report reductions of tensors without elements: MindSpore gives what the memory held."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext

REDUCTIONS = frozenset(("sum", "mean", "prod", "std", "var", "norm", "nansum", "nanmean"))
CREATIONS = frozenset(("zeros", "ones", "empty", "rand", "randn", "full"))
VALUES = frozenset(("tensor", "as_tensor", "Tensor", "FloatTensor", "LongTensor"))


def reduces_nothing(context: PlanContext, name: str, value: ast.expr | None) -> bool:
    """Tell whether a call reduces a tensor that the source makes without elements."""
    if value is None or name.rpartition(".")[2] not in REDUCTIONS or context.in_graph:
        return False
    if isinstance(value, ast.Name):
        bound = [
            node.value
            for node in context.program.below(context.names.module.tree)
            if isinstance(node, ast.Assign)
            and any(isinstance(t, ast.Name) and t.id == value.id for t in node.targets)
        ]
        return any(_is_empty(context, item) for item in bound)
    return _is_empty(context, value)


def _is_empty(context: PlanContext, value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    name = context.names.qualified(value.func, context.here) or ""
    head, _, last = name.rpartition(".")
    if head != "torch":
        return False
    if last in VALUES:
        return not value.args or ast.unparse(value.args[0]) in ("[]", "()")
    given = value.args[:1] if last == "full" else value.args
    sizes = [part for argument in given for part in ast.walk(argument)]
    zero = any(isinstance(part, ast.Constant) and part.value == 0 for part in sizes)
    return last in CREATIONS and zero
