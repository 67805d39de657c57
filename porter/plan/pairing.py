"""Pair each backward with the one step that uses its gradients, where a module allows that."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from porter.plan.regions import Blocks, Region
from porter.plan.uses import Uses, gradient_of, switches_parameters
from porter.source.recorded import Recorded


@dataclass(slots=True)
class Pair:
    """The step that follows a backward, the resets that belong to it, and the clipping between."""

    step: ast.stmt
    optimizer: ast.expr
    resets: list[ast.stmt] = field(default_factory=list)
    clips: list[ast.stmt] = field(default_factory=list)


def pairs(
    recorded: Recorded, uses: Uses, blocks: Blocks, regions: list[Region]
) -> dict[ast.stmt, Pair] | None:
    """Return the pair of each backward; None where gradients must be kept at the parameters.

    They must where something reads them, where they are summed over several backwards, and where
    parameters are frozen or several optimizers share them.
    """
    if uses.kept or uses.derivatives or uses.unplanned or switches_parameters(recorded, uses):
        return None
    found: dict[ast.stmt, Pair] = {}
    for region in regions:
        pair = None if region.problem else _pair(uses, blocks, region)
        if pair is None:
            return None
        found[region.anchor] = pair
    known = [pair.step for pair in found.values()]
    resets = {reset for pair in found.values() for reset in pair.resets}
    clips = {clip for pair in found.values() for clip in pair.clips}
    if set(known) != set(uses.steps) or resets != set(uses.resets) or clips != set(uses.clips):
        return None
    return found if len(set(known)) == len(known) else None


def _pair(uses: Uses, blocks: Blocks, region: Region) -> Pair | None:
    block = blocks.block_of[region.anchor]
    place = block.index(region.anchor)
    if gradient_of(uses.losses[region.anchor][1]) is not None:
        return None
    behind = _until_backward(uses, block[place + 1 :])
    steps = [item for item in behind if item in uses.steps]
    if len(steps) != 1:
        return None
    step = steps[0]
    optimizer = uses.steps[step]
    between = behind[: behind.index(step)]
    pair = Pair(step, optimizer)
    owners = owners_of(uses, ast.unparse(optimizer))
    for item in between:
        if item in uses.clips:
            if not _clips_all(uses.clips[item], item, owners):
                return None
            pair.clips.append(item)
        elif any(node in uses.clips for node in ast.walk(item)):
            return None
    if not _reaches_all(region, owners):
        return None
    whole = owners if len(owners) == 1 else set()
    pair.resets = _resets(uses, blocks, region, step, whole | {ast.unparse(optimizer)})
    return pair if pair.resets else None


def _until_backward(uses: Uses, block: list[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for item in block:
        if any(node in uses.losses for node in ast.walk(item)):
            break
        found.append(item)
    return found


def owners_of(uses: Uses, optimizer: str) -> set[str]:
    """Return the modules and leaves that an optimizer was made for, by their text, if known."""
    calls = uses.creations.get(optimizer, [])
    if len(calls) != 1 or not calls[0].args:
        return set()
    owners: set[str] = set()
    for node in ast.walk(calls[0].args[0]):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="parameters"), args=[]):
                owners.add(ast.unparse(owner))
    match calls[0].args[0]:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            owners |= {item.id for item in items if isinstance(item, ast.Name)}
    return owners


def _clips_all(call: ast.Call, statement: ast.stmt, owners: set[str]) -> bool:
    """Tell whether what is clipped is what the optimizer has."""
    simple = isinstance(statement, ast.Expr) or (
        isinstance(statement, ast.Assign)
        and statement.value is call
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
    )
    if not simple or not call.args:
        return False
    match call.args[0]:
        case ast.Call(func=ast.Attribute(value=owner, attr="parameters"), args=[], keywords=[]):
            return owners == {ast.unparse(owner)}
    return False


def _reaches_all(region: Region, owners: set[str]) -> bool:
    """Tell whether a loss is made by all that the optimizer has: torch skips what it is not."""
    if any(owner.startswith("self.") for owner in owners):
        return True
    reads = region.reads
    return all(owner.partition(".")[0].partition("[")[0] in reads for owner in owners)


def _resets(
    uses: Uses, blocks: Blocks, region: Region, step: ast.stmt, names: set[str]
) -> list[ast.stmt]:
    """Return the resets of a block, if there are no gradients when a backward begins."""
    block = blocks.block_of[region.anchor]
    outer = region.block
    found: list[ast.stmt] = []
    fresh = False
    for position, item in enumerate(block):
        if item in uses.resets and _owner(uses.resets[item]) in names:
            found.append(item)
            if position < block.index(region.anchor):
                between = block[position : block.index(region.anchor)]
                fresh = fresh or not any(n in uses.losses for b in between for n in ast.walk(b))
            elif position > block.index(step):
                later = block[position:]
                alone = len(uses.losses) == 1
                fresh = fresh or (alone and not any(n in uses.losses for n in later))
    if outer is not block:
        for item in outer[: outer.index(region.place)]:
            if item in uses.resets and _owner(uses.resets[item]) in names:
                found.append(item)
                fresh = True
    return found if fresh else []


def _owner(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return ast.unparse(call.func.value)
