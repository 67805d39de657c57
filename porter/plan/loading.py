"""Plan constructors that load weights: a port gets its weights from `porter weights`."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Drop
from porter.types import Applicability, Severity

LOADERS = ("torch.load", "torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url")


def plan_loading(context: PlanContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Remove `self.load_state_dict(torch.load(file))` and what only it reads from a constructor.

    Elsewhere a method that loads is a wish of its caller, and is left with an error.
    """
    if (
        function.name != "__init__"
        or context.owner is None
        or not context.program.is_module(context.owner)
    ):
        return
    nodes = list(ast.walk(function))
    loading = [node for node in nodes if isinstance(node, ast.Expr) and _loads(context, node.value)]
    for node in loading:
        _remove(context, node)
        context.find(
            node,
            "PRT210",
            "the constructor of the port loads no weights",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
            torch_name="torch.nn.Module.load_state_dict",
            hint="convert the checkpoint with `porter weights`",
        )
    if loading:
        _remove_unread(context, nodes)


def _loads(context: PlanContext, call: ast.expr) -> bool:
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return False
    owner = call.func.value
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    own = isinstance(owner, ast.Name) and owner.id == "self"
    kind = context.inference.kind(call.func.value)
    defined = kind.cls is not None and context.program.find_method(kind.cls, call.func.attr)
    return own and call.func.attr == "load_state_dict" and kind.name == "module" and not defined


def _remove_unread(context: PlanContext, nodes: list[ast.AST]) -> None:
    """Remove what was read from the file where nothing that stays reads it."""
    loaded: set[str] = set()
    assignments = []
    for node in sorted(
        (node for node in nodes if isinstance(node, ast.Assign)), key=lambda node: node.lineno
    ):
        target = node.targets[0]
        if not isinstance(target, ast.Name) or len(node.targets) != 1:
            continue
        if any(_from_file(context, part, loaded) for part in ast.walk(node.value)):
            loaded.add(target.id)
            assignments.append((target.id, node))
    for name, assignment in reversed(assignments):
        reads = [
            node
            for node in nodes
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]
        if all(node in context.vanished for node in reads):
            _remove(context, assignment)


def _from_file(context: PlanContext, node: ast.AST, loaded: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in loaded
    if not isinstance(node, ast.Call):
        return False
    return context.names.qualified(node.func, context.here) in LOADERS


def _remove(context: PlanContext, node: ast.stmt) -> None:
    context.edit(node, Drop())
    context.vanished.update(ast.walk(node))
