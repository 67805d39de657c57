"""Plan in-place tensor methods: `x.add_(y)` becomes an assignment where no alias sees it."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace, ReplaceStatement
from porter.plan.entries import admitted, choose, refuse, template_of
from porter.types import Applicability, Severity


def plan_inplace(context: PlanContext, call: ast.Call, func: ast.Attribute) -> bool:
    """Plan `receiver.name_(...)`; returns whether the call is one of the in-place methods.

    The statement becomes `receiver = receiver.name(...)`. Where the receiver came in as an argument
    or may share memory with another name, the finding PRT203 says that the update is not seen
    there.
    """
    mapping = context.program.mapping
    full = f"torch.Tensor.{func.attr}"
    own = mapping.method(func.attr)
    if own is not None:
        return False
    entry = mapping.method(func.attr[:-1])
    if entry is None:
        return False
    statement = context.statement_of.get(call)
    if not isinstance(func.value, ast.Name) or statement is None:
        refuse(
            context,
            call,
            "PRT102",
            f"{full} updates a tensor in place where no name can be rebound",
            entry,
        )
        return True
    chosen = choose(context, entry, call, func.value, full)
    if chosen is None or not admitted(context, entry, *chosen, call, full):
        return True
    replacement: Replace = template_of(context, *chosen)
    context.edit(
        statement,
        ReplaceStatement(f"{func.value.id} = {replacement.template}", replacement.values),
    )
    context.site(call)
    if context.may_be_shared(func.value):
        context.find(
            call,
            "PRT203",
            f"{full} became an assignment; a caller or another name of {func.value.id!r}"
            " does not see the update",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
            torch_name=full,
        )
    return True
