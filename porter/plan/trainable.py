"""Plan what an optimizer is made for: the parameters of a Cell that are trained."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace


def plan_trainable(context: PlanContext, parameters: ast.expr) -> None:
    """Write `model.parameters()` as `model.trainable_params()` in what an optimizer is given.

    The other parameters of a Cell are frozen, or buffers in torch: no optimizer may move them, as a
    weight decay would.
    """
    for node in ast.walk(parameters):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="parameters"), args=[], keywords=[]):
                context.edit(node, Replace("{cell}.trainable_params()", {"cell": owner}))
                context.site(node)
                context.copied.add(node)
