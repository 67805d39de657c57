"""Report parameters that no loss reaches, where an optimizer changes them all the same."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.uses import Uses
from porter.types import Applicability, Severity

DECAYING = ("AdamW", "NAdamW")


def report_unreached(context: PlanContext, uses: Uses) -> None:
    """Report an optimizer that decays weights beside a module with a layer that nothing uses.

    torch leaves a parameter without a gradient alone; MindSpore has a gradient of zero for it.
    """
    unused = _unused_layer(context)
    if not unused:
        return
    for calls in uses.creations.values():
        for call in calls:
            if _decays(call):
                context.find(
                    call,
                    "PRT215",
                    f"no loss reaches {unused}: torch leaves such weights alone, the port"
                    " decays them",
                    applicability=Applicability.REVIEW,
                    severity=Severity.WARNING,
                )


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
