"""Answer what a script asks of gradients, where nothing in it has torch record any."""

from __future__ import annotations

import ast
import sys

from porter.plan.context import PlanContext
from porter.plan.edits import Replace

ANSWERS = {"requires_grad": "False", "is_leaf": "True", "grad": "None", "grad_fn": "None"}
"""What torch says of a tensor that requires no gradient."""
LEAF = {"requires_grad": "True", "is_leaf": "True", "grad_fn": "None"}
"""What it says of one that was made to require one."""
MAKING = ("torch.nn.", "torch.autograd", "torch.optim", "torch.load", "torch.jit", "torch.func.")
PLAIN = ("torch.nn.functional", "torch.nn.init")
KNOWN = frozenset((*sys.stdlib_module_names, "torch", "numpy"))


def plan_recording(context: PlanContext, node: ast.Attribute) -> bool:
    """Write the answer for `x.requires_grad` of a script; returns whether it is known."""
    outside = not context.in_graph and context.function is None and context.owner is None
    if node.attr not in ANSWERS or not outside or not isinstance(node.ctx, ast.Load):
        return False
    if not isinstance(node.value, ast.Name):
        return False
    answer = ANSWERS[node.attr]
    if _records(context):
        answer = LEAF.get(node.attr, "") if _is_leaf(context, node.value.id) else ""
    if not answer:
        return False
    context.edit(node, Replace(answer))
    context.site(node)
    return True


def _is_leaf(context: PlanContext, name: str) -> bool:
    """Tell whether a name is bound once, to a tensor made with `requires_grad=True`."""
    tree = context.names.module.tree
    changed = {"requires_grad_", "requires_grad", "detach_"}
    made, targets = False, _targets(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in changed:
            if node.attr != "requires_grad" or not isinstance(node.ctx, ast.Load):
                return False
        elif isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            if made or node not in targets:
                return False
            made = True
    return made


def _targets(tree: ast.Module) -> list[ast.expr]:
    """Return the names of the top level that are bound to calls with `requires_grad=True`."""
    return [
        node.targets[0]
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for keyword in node.value.keywords
        if keyword.arg == "requires_grad"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
    ]


def _records(context: PlanContext) -> bool:
    """Tell whether anything in a module may make a tensor that requires a gradient."""
    tree = context.names.module.tree
    off = {
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_false(node.value)
        for target in node.targets
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            origins = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
            if any(origin.partition(".")[0] not in KNOWN for origin in origins):
                return True
        given = isinstance(node, ast.keyword) and node.arg in ("requires_grad", None)
        if isinstance(node, ast.keyword) and given and not _is_false(node.value):
            return True
        if isinstance(node, ast.Constant) and node.value == "requires_grad":
            return True  # of a setattr
        if isinstance(node, ast.Attribute):
            stored = node.attr in ("requires_grad", "grad") and not isinstance(node.ctx, ast.Load)
            if node.attr == "requires_grad_" or (stored and node not in off):
                return True
        if isinstance(node, ast.Attribute | ast.Name):
            name = context.names.qualified(node, context.here) or ""
            if f"{name}.".startswith(MAKING) and not name.startswith(PLAIN) and name != "torch.nn":
                return True
    return False


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
