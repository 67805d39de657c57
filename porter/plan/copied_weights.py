"""Plan weights that one module of a script gets from another, or from a copy of before."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace, Value


def plan_copied_weights(context: PlanContext, call: ast.Call) -> bool:
    """Write `a.load_state_dict(b.state_dict())`, and copies of weights; returns whether it was one.

    The names in a state dict are not torch's, so that it must stay between these calls.
    """
    if context.in_graph:
        return False
    match call:
        case ast.Call(func=func, args=[ast.Call() as state], keywords=[]) if (
            context.names.qualified(func, context.here) == "copy.deepcopy"
        ):
            source = _state_of(context, state)
            values: dict[str, Value] = {"source": source} if source is not None else {}
            template = "runtime.parameters.copied_weights({source})"
            context.vanished.update(ast.walk(func))
        case ast.Call(
            func=ast.Attribute(value=owner, attr="load_state_dict"), args=[given], keywords=[]
        ) if context.inference.kind(owner).name in ("module", "modules", "unknown"):
            source = _state_of(context, given)
            if source is not None:
                values = {"cell": owner, "source": source}
                template = "runtime.parameters.copy_weights({cell}, {source})"
            elif isinstance(given, ast.Name) and _is_copy(context, given.id):
                values = {"cell": owner, "weights": given}
                template = "runtime.parameters.set_weights({cell}, {weights})"
            else:
                return False
        case _:
            return False
    if not values:
        return False
    if source is not None and isinstance(call.args[0], ast.Call):
        context.copied.add(call.args[0])
    context.edit(call, Replace(context.written(template), values))
    context.site(call)
    return True


def _state_of(context: PlanContext, node: ast.expr) -> ast.expr | None:
    """Return the module of `module.state_dict()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="state_dict"), args=[], keywords=[]):
            if context.inference.kind(owner).name in ("module", "modules", "unknown"):
                return owner
    return None


def _is_copy(context: PlanContext, name: str) -> bool:
    """Tell whether a name is only ever bound to None, or to a copy of a module's weights."""
    found = False
    for node in ast.walk(context.names.module.tree):
        match node:
            case ast.Assign(targets=[ast.Name(bound)], value=value) if bound == name:
                if isinstance(value, ast.Constant) and value.value is None:
                    continue
                match value:
                    case ast.Call(args=[state]) if _state_of(context, state) is not None:
                        found = True
                    case _:
                        return False
    stored = sum(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(context.names.module.tree)
    )
    assigned = sum(
        isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == [name]
        for node in ast.walk(context.names.module.tree)
    )
    return found and stored == assigned
