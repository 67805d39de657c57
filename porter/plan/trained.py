"""Say which parameters a backward gives gradients to, where they are kept at the parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from porter.plan.context import PlanContext
from porter.plan.regions import Region, leaf_names
from porter.plan.uses import Uses
from porter.source.recorded import Recorded

if TYPE_CHECKING:
    from porter.plan.differentiating import Differentiation


def weights_of(
    context: PlanContext, plan: Differentiation, region: Region, name: str
) -> tuple[str, tuple[str, ...]]:
    """Return what a backward gives gradients to, and the lines that bind it to a name.

    These are the parameters of every optimizer in reach; where gradients are read or clipped, or
    the steps are taken elsewhere, those of the modules and the leaves of the loss, too.
    """
    recorded, uses = plan.recorded, plan.uses
    optimizers = [
        text
        for text in sorted(uses.optimizers)
        if text and _is_visible(recorded, uses, text, region)
    ]
    used = {
        ast.unparse(item)
        for statement, item in uses.steps.items()
        if recorded.unit_of[statement] is region.unit
    }
    sources = list(optimizers)
    if uses.kept or uses.clips or not set(optimizers) & used:
        sources += [*_modules(context, recorded, region), *leaf_names(recorded, region)]
    sources = list(dict.fromkeys(sources))
    if not sources:
        return "", ()
    if sources == optimizers and len(sources) == 1 and not plan.frozen:
        return f"{sources[0]}.parameters", ()
    written = f"{name} = runtime.gradients.trainable({', '.join(sources)})"
    return name, (context.written(written),)


def _is_visible(recorded: Recorded, uses: Uses, text: str, region: Region) -> bool:
    """Tell whether an optimizer is there when a backward is reached."""
    root = text.partition(".")[0].partition("[")[0]
    top = recorded.names.module.tree
    created = uses.creations.get(text, ())
    statements = recorded.unit_of.items()
    at_top = not created or any(
        unit is top and isinstance(statement, ast.Assign) and statement.value in created
        for statement, unit in statements
    )
    if isinstance(region.unit, ast.Module):
        earlier = not created or min(call.lineno for call in created) < region.anchor.lineno
        return root in recorded.names.top.bound and earlier and at_top
    arguments = region.unit.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if root in {item.arg for item in every}:
        return True
    if root in recorded.names.scopes[region.unit].bound:
        return any(
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and node.id == root
            and node.lineno < region.anchor.lineno
            for node in ast.walk(region.unit)
        )
    return root in recorded.names.top.bound and at_top


def _modules(context: PlanContext, recorded: Recorded, region: Region) -> list[str]:
    """Return the modules that a region calls or reads, by their text."""
    nodes = [
        node
        for node in region.parts
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    ]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    found: dict[str, None] = {}
    for node in nodes:
        text = ast.unparse(node)
        kind = context.inference.kind(node).name
        if kind in ("module", "modules") or text in recorded.modules:
            found[text] = None
    inner = {
        text for text in found for other in found if text.startswith((f"{other}.", f"{other}["))
    }
    return [text for text in found if text not in inner]
