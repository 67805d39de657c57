"""Put modules that a script makes into training mode, in which torch makes them."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Replace
from porter.source.program import Program

MODULES = (
    *("AlphaDropout", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Dropout", "Dropout1d"),
    *("Dropout2d", "Dropout3d", "FeatureAlphaDropout", "GRU", "InstanceNorm1d"),
    *("InstanceNorm2d", "InstanceNorm3d", "LSTM", "MultiheadAttention", "RNN", "RReLU"),
    "SyncBatchNorm",
)
DEPENDING = frozenset(f"torch.nn.{name}" for name in MODULES)
"""Modules that compute otherwise in training mode."""
CONDITIONAL = frozenset(("GRU", "LSTM", "MultiheadAttention", "RNN"))
"""Those of them that do so for a `dropout` alone."""


def plan_training(context: PlanContext, call: ast.Call) -> None:
    """Write `Module(...).set_train()` where code outside of classes makes a module.

    A Cell starts in evaluation mode. What a class of the source holds follows its own mode.
    """
    reference = context.program.reference(call.func, context.here, context.names)
    if context.in_graph or context.owner or reference is None or call in context.vanished:
        return
    entry = context.program.mapping.find(reference)
    module = context.program.is_module(reference) or (entry and entry.kind == "module")
    asked = module and _asks_for_mode(context.names.module.tree)
    if asked or makes_depending(context.program, reference, call):
        context.edit(call, Replace("{cell}.set_train()", {"cell": call}))


def _asks_for_mode(node: ast.AST) -> bool:
    """Tell whether code outside of classes reads `training` of a module."""
    if isinstance(node, ast.Attribute) and node.attr == "training":
        return isinstance(node.ctx, ast.Load)
    children = ast.iter_child_nodes(node)
    return any(_asks_for_mode(child) for child in children if not isinstance(child, ast.ClassDef))


def makes_depending(program: Program, reference: str, call: ast.Call) -> bool:
    """Tell whether a call makes a module that computes otherwise in training mode."""
    if reference in program.classes:
        return program.is_module(reference) and _class_depends(program, reference, set())
    if reference not in DEPENDING:
        return False
    conditional = reference.rpartition(".")[2] in CONDITIONAL
    return not conditional or any(keyword.arg in ("dropout", None) for keyword in call.keywords)


def _class_depends(program: Program, reference: str, seen: set[str]) -> bool:
    seen.add(reference)
    for ancestor in program.ancestry(reference):
        info = program.classes.get(ancestor)
        if info is None:
            if ancestor in DEPENDING:
                return True
            continue
        for node in ast.walk(info.node):
            if isinstance(node, ast.Attribute) and node.attr == "training":
                return True
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            name = program.reference(node, info.names.top, info.names)
            if name in DEPENDING:
                return True
            own = name in program.classes and name not in seen and program.is_module(name)
            if own and name and _class_depends(program, name, seen):
                return True
    return False
