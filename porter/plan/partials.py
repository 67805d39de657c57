"""Plan partials: those that their function calls only, and those that a module keeps."""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.plan.context import PlanContext
from porter.plan.edits import Drop, Replace
from porter.plan.entries import apply_entry
from porter.source.names import Scope


def plan_partial(context: PlanContext, node: ast.Assign) -> bool:
    """Plan `norm = partial(nn.BatchNorm2d, eps=1e-3)`; returns whether the statement goes.

    The names and meanings of arguments differ between torch and MindSpore, and which of them a
    caller gives is known at the calls alone. Where the function itself has them all, each becomes
    a call of its own, with the constants of the partial.
    """
    target, partial = node.targets[0], node.value
    function = context.function
    if (
        function is None
        or len(node.targets) != 1
        or not isinstance(target, ast.Name)
        or not isinstance(partial, ast.Call)
        or context.names.qualified(partial.func, context.here) != "functools.partial"
        or len(partial.args) != 1
        or not all(item.arg and _is_constant(item.value) for item in partial.keywords)
    ):
        return False
    name = context.names.qualified(partial.args[0], context.here)
    entry = context.program.mapping.find(name) if name else None
    calls = _calls(context, function, target.id)
    if name is None or entry is None or entry.kind not in ("function", "module") or not calls:
        return False
    done = [_plan_call(context, call, partial, name) for call in calls]
    if all(done):
        context.edit(node, Drop())
        context.vanished.update(ast.walk(node))
    return all(done)


def plan_kept_partial(context: PlanContext, node: ast.Assign) -> None:
    """Write `self.resize = partial(F.interpolate, ...)` as a Cell, which a graph can call.

    Only of functions: a partial of a class makes modules, and one of a module would hold weights.
    """
    target, partial = node.targets[0], node.value
    if (
        context.in_graph
        or not context.program.is_module(context.owner or "")
        or not isinstance(target, ast.Attribute)
        or not isinstance(partial, ast.Call)
        or context.names.qualified(partial.func, context.here) != "functools.partial"
        or not partial.args
    ):
        return
    name = context.program.reference(partial.args[0], context.here, context.names)
    entry = context.program.mapping.find(name) if name else None
    if (entry is not None and entry.kind == "function") or name in context.program.functions:
        context.edit(partial.func, Replace(context.written("runtime.calling.Partial")))
        context.site(partial)


def _plan_call(context: PlanContext, call: ast.Call, partial: ast.Call, name: str) -> bool:
    entry = context.program.mapping.find(name)
    assert entry is not None
    given = {item.arg for item in call.keywords}
    added = [item for item in partial.keywords if item.arg not in given]
    whole = ast.Call(partial.args[0], call.args, [*call.keywords, *added])
    planned = apply_entry(context, entry, ast.copy_location(whole, call), None, name)
    constants = {id(item.value): ast.unparse(item.value) for item in added}
    for edit in context.edits.pop(whole, []):
        if isinstance(edit, Replace):
            template, values = edit.template, dict(edit.values)
            for key, value in edit.values.items():
                if id(value) in constants:
                    template = template.replace(f"{{{key}}}", constants[id(value)])
                    del values[key]
            edit = replace(edit, template=template, values=values)
        context.edit(call, edit)
    return planned


def _calls(context: PlanContext, function: ast.AST, name: str) -> list[ast.Call]:
    """Return the calls of a name that its function binds once and only calls, else nothing."""
    calls, read, bound = [], 0, 0
    stack: list[tuple[ast.AST, Scope]] = [(function, context.here)]
    while stack:
        node, scope = stack.pop()
        inner = context.names.scopes.get(node, scope)
        if inner is not context.here and name in inner.bound:
            return []
        if isinstance(node, ast.Name) and node.id == name:
            read += isinstance(node.ctx, ast.Load)
            bound += not isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            calls.append(node)
        stack.extend((child, inner) for child in ast.iter_child_nodes(node))
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return calls if read == len(calls) and bound == 1 else []


def _is_constant(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return False
    return True
