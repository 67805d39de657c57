"""Tell whether statements can be computed once more: two losses share what they depend on."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.pairing import owners_of
from porter.plan.regions import Blocks, Region, changed_names
from porter.plan.training import DEPENDING
from porter.plan.uses import Uses
from porter.source.flows import MODULE_MARKS, stored_names


def cannot_repeat(context: PlanContext, blocks: Blocks, uses: Uses, region: Region) -> str:
    """Say why the copies of a region would not give again what they gave; empty where they do."""
    shared = "what it depends on is shared with another backward, and "
    for statement in region.copies:
        if not isinstance(statement, ast.Assign):
            return f"{shared}line {statement.lineno} is no assignment"
    if _depends_on_mode(context):
        return f"{shared}modules that draw, or that count batches, cannot run twice"
    reads = {
        node.id
        for statement in region.copies
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    for statement in _behind(blocks, region):
        if statement in region.copies:
            continue
        if _marks(statement):
            continue
        for node in ast.walk(statement):
            if node in uses.steps:
                owners = owners_of(uses, ast.unparse(uses.steps[node]))
                if not owners or owners & reads:
                    return f"{shared}line {statement.lineno} updates it"
        late = (changed_names(statement) - set(stored_names(region.copies))) & reads
        if late:
            return f"{shared}line {statement.lineno} changes {min(late)!r}"
    if _draws(context, region):
        return f"{shared}random numbers would be drawn anew"
    return ""


def _behind(blocks: Blocks, region: Region) -> list[ast.stmt]:
    """Return what may run between the copies of a region and their use."""
    found: list[ast.stmt] = []
    place: ast.AST = region.place
    while isinstance(place, ast.stmt) and place in blocks.block_of:
        block = blocks.block_of[place]
        first = min((block.index(copy) for copy in region.copies if copy in block), default=None)
        if first is not None:
            found += block[first : block.index(place) + (place is not region.place)]
        place = blocks.parent_of[place]
    return found


def _depends_on_mode(context: PlanContext) -> bool:
    """Tell whether a module names one that computes otherwise in training."""
    for node in ast.walk(context.names.module.tree):
        if not isinstance(node, ast.Attribute | ast.Name):
            continue
        name = context.names.qualified(node, context.names.top)
        if name is not None and name in DEPENDING:
            return True
    return False


def _marks(statement: ast.stmt) -> bool:
    """Tell whether a statement resets gradients or sets a mode."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name in MODULE_MARKS
    return False


def _draws(context: PlanContext, region: Region) -> bool:
    """Tell whether a copy calls what is random in torch."""
    for statement in region.copies:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call):
                continue
            name = context.names.qualified(node.func, context.names.scopes[region.unit])
            entry = context.program.mapping.find(name) if name else None
            if entry is None and isinstance(node.func, ast.Attribute) and name is None:
                entry = context.program.mapping.method(node.func.attr)
            if entry is not None and entry.compare == "statistics":
                return True
    return False
