"""Report parameters that no loss reaches, where an optimizer changes them all the same."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from porter.plan.context import PlanContext
from porter.plan.pairing import owners_of
from porter.plan.regions import Region, name_of
from porter.plan.uses import Uses, thaws_parameters
from porter.source.recorded import Recorded
from porter.types import Applicability, Severity

DECAYING = ("AdamW", "NAdamW")


def report_unreached(
    context: PlanContext, recorded: Recorded, uses: Uses, regions: list[Region]
) -> None:
    """Report optimizers that change, in the port, weights that have no gradient in torch.

    torch leaves a parameter without a gradient alone, and counts its steps from the first one that
    it has; MindSpore has a gradient of zero for it.
    """
    unused = _unused_layer(context)
    for text, calls in uses.creations.items():
        for call in calls:
            missed = _missed(uses, text, regions)
            if unused and _decays(call):
                message = f"no loss reaches {unused}: torch leaves such weights alone, the port"
                _report(context, call, f"{message} decays them")
            elif missed and _remembers(call):
                message = f"a loss does not always reach {missed}: torch leaves it alone then"
                _report(context, call, f"{message}, the port does not")
            elif thaws_parameters(recorded, uses, call):
                message = "weights are trained from a later step on: torch's optimizer has them"
                _report(context, call, f"{message} already, the port's does not")


def _report(context: PlanContext, call: ast.Call, message: str) -> None:
    review, warning = Applicability.REVIEW, Severity.WARNING
    context.find(call, "PRT215", message, applicability=review, severity=warning)


def _missed(uses: Uses, text: str, regions: list[Region]) -> str:
    """Return what an optimizer was made for that a loss may leave out, if there is something."""
    owners = sorted(owners_of(uses, text))
    steps = sum(ast.unparse(optimizer) == text for optimizer in uses.steps.values())
    for region in regions:
        always = _read_in_any_case(region)
        shared = [owner for owner in owners if owner in region.reads]
        for owner in owners:
            partly = owner in region.reads and owner not in always
            left_out = steps > 1 and shared and owner.isidentifier() and owner not in region.reads
            if partly or left_out:
                return owner
    return ""


def _read_in_any_case(region: Region) -> set[str]:
    """Return the names that the function of a region reads whatever its conditions say."""
    found: set[str] = set()
    queue: list[ast.AST] = [*region.body, region.loss]
    while queue:
        node = queue.pop()
        found.add(name_of(node))
        if isinstance(node, ast.If):
            queue.append(node.test)
            found |= _names(node.body) & _names(node.orelse)
        elif isinstance(node, ast.IfExp):
            queue.append(node.test)
            found |= _names([node.body]) & _names([node.orelse])
        else:
            queue += ast.iter_child_nodes(node)
    return found


def _names(nodes: Sequence[ast.AST]) -> set[str]:
    return {name_of(part) for node in nodes for part in ast.walk(node)}


def _is_plain(call: ast.Call, name: str) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] == name


def _remembers(call: ast.Call) -> bool:
    """Tell whether an optimizer moves weights whose gradient is zero."""
    if not _is_plain(call, "SGD"):
        return True
    return len(call.args) > 2 or any(k.arg in ("momentum", "weight_decay") for k in call.keywords)


def _decays(call: ast.Call) -> bool:
    for keyword in call.keywords:
        if keyword.arg == "weight_decay":
            return not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
    return ast.unparse(call.func).rpartition(".")[2] in DECAYING


def _unused_layer(context: PlanContext) -> str:
    """Return a layer that a class of the module makes and that nothing reads, if there is one."""
    read: set[str] = set()
    for node in ast.walk(context.names.module.tree):
        match node:
            case ast.Attribute(value=ast.Name("self"), attr=name, ctx=ast.Load()):
                read.add(name)
            case ast.Call(func=ast.Attribute(attr=name)):
                read.add(name)
    for info in context.program.classes.values():
        if info.names is not context.names or not context.program.is_module(info.qualified):
            continue
        for node in ast.walk(info.methods.get("__init__", ast.Pass())):
            match node:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name("self"), attr=name) as target]
                ):
                    kind = context.inference.kind(node.value)
                    entry = context.program.mapping.find(kind.cls or "")
                    weighted = entry is None or bool(entry.weights)
                    if kind.name == "module" and weighted and name not in read:
                        return f"{info.node.name}.{target.attr}"
    return ""
