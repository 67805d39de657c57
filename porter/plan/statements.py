"""Plan statements: contexts that vanish, in-place operators, dead branches, what graphs refuse."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.differentiating import is_differentiated
from porter.plan.edits import Drop, Replace, ReplaceStatement, Unwrap, Value
from porter.plan.entries import raise_finding, refuse
from porter.plan.hoisting import plan_nested_loops
from porter.plan.inplace import is_alone, may_be_shared, report_views
from porter.plan.leaves import plan_leaf_update
from porter.source.names import dotted
from porter.types import Applicability, Severity

REFUSED: dict[type[ast.AST], str] = {
    ast.Try: "try",
    ast.Delete: "del",
    ast.Match: "match",
    ast.NamedExpr: "an assignment expression",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.Nonlocal: "nonlocal",
    ast.Set: "a set display",
    ast.SetComp: "a set comprehension",
    ast.AsyncFunctionDef: "async def",
    ast.Await: "await",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
}
AUTOCAST = ("torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast")
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}


def plan_with(context: PlanContext, node: ast.With) -> None:
    """Take the body out of a context that the table drops."""
    dropped = []
    for item in node.items:
        expression = item.context_expr
        callee = expression.func if isinstance(expression, ast.Call) else expression
        qualified = context.names.qualified(callee, context.here)
        entry = context.program.mapping.find(qualified) if qualified else None
        if entry is not None and entry.drop and item.optional_vars is None:
            dropped.append((entry, qualified or ""))
    if len(dropped) == len(node.items):
        context.edit(node, Unwrap())
        context.site(node)
        for item in node.items:
            context.vanished.update(ast.walk(item))
        for entry, name in dropped:
            raise_finding(context, entry, node, name)
        for item in node.items:
            _report_precision(context, item.context_expr)
    elif context.in_graph:
        refuse(context, node, "PRT305", "with is not accepted in a graph", None)


def _report_precision(context: PlanContext, expression: ast.expr) -> None:
    """Report `torch.autocast` of a script, unless torch has none of it on a CPU."""
    if context.in_graph or not isinstance(expression, ast.Call):
        return
    name = context.names.qualified(expression.func, context.here)
    if name not in AUTOCAST:
        return
    given = {keyword.arg: keyword.value for keyword in expression.keywords}
    device = expression.args[0] if expression.args else given.get("device_type")
    enabled = given.get("enabled")
    off = isinstance(enabled, ast.Constant) and enabled.value is False
    if off or (isinstance(device, ast.Constant) and device.value == "cuda"):
        return
    context.find(
        expression,
        "PRT201",
        f"{name} computes in half precision where the port computes in float32",
        applicability=Applicability.REVIEW,
        severity=Severity.WARNING,
        torch_name=name,
    )


def plan_augmented(context: PlanContext, node: ast.AugAssign) -> None:
    """Write `x += y` on a tensor as an assignment, for in a graph it would change the caller's."""
    operator = OPERATORS.get(type(node.op))
    if operator is None or plan_leaf_update(context, node, operator):
        return
    if (
        not isinstance(node.target, ast.Name)
        or context.inference.kind(node.target).name != "tensor"
    ):
        return
    name = node.target.id
    written = f"{name} {operator} {{value}}"
    number = context.inference.kind(node.value).name in ("int", "float", "bool")
    inside = is_differentiated(context, node)
    if not inside and not (number and is_alone(context, node.target)):
        written = f"runtime.inplace.update({name}, {written})"
    context.edit(
        node, ReplaceStatement(context.written(f"{name} = {written}"), {"value": node.value})
    )
    context.site(node)
    if not inside:
        report_views(context, node.target, f"{operator}=")
        return
    if may_be_shared(context, node.target):
        context.find(
            node,
            "PRT203",
            f"a caller or another name of {name!r} does not see the update",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
        )


def plan_parameter_assignment(context: PlanContext, node: ast.Assign) -> None:
    """Write `self.linear.bias = parameter` through the runtime, so that the Cell looks at it."""
    target = node.targets[0]
    if not isinstance(target, ast.Attribute) or len(node.targets) != 1:
        return
    if _removes_parameter(context, target, node.value):
        written = context.written(f'runtime.parameters.remove(self, "{target.attr}")')
        context.edit(node, ReplaceStatement(written))
        context.site(node)
        return
    kind = context.inference.kind(target.value)
    entry = context.program.mapping.find(kind.cls) if kind.name == "module" and kind.cls else None
    if entry is None or kind.cls in context.program.classes or target.attr not in entry.settable:
        return
    template = context.written(f"{entry.settable[target.attr]}({{cell}}, {{value}})")
    values: dict[str, Value] = {"cell": target.value, "value": node.value}
    context.edit(node, ReplaceStatement(template, values))
    context.site(node)
    context.settled.add(target)


def _removes_parameter(context: PlanContext, target: ast.Attribute, value: ast.expr) -> bool:
    """Tell whether `self.bias = None` takes away what the constructor of a mapped base made."""
    own = isinstance(target.value, ast.Name) and target.value.id == "self"
    nothing = isinstance(value, ast.Constant) and value.value is None
    if context.in_graph or context.owner is None or not (own and nothing):
        return False
    entries = map(context.program.mapping.find, context.program.ancestry(context.owner))
    based = any(entry is not None and entry.base is not None for entry in entries)
    return based and target.attr in ("weight", "bias")


def plan_data_assignment(context: PlanContext, node: ast.Assign) -> None:
    """Write `layer.weight = parameter` and `x.data = values` outside of a graph as an update."""
    target = node.targets[0]
    if context.in_graph or not isinstance(target, ast.Attribute) or len(node.targets) != 1:
        return
    owner: ast.expr = target.value
    if isinstance(node.value, ast.Constant) or context.edits.get(node):
        return
    if target.attr == "data" and context.inference.kind(owner).name == "tensor":
        updated = owner
    elif is_weight(context, target):
        updated = target
    elif target.attr == "data" and isinstance(owner, ast.Attribute) and is_weight(context, owner):
        updated = owner
    else:
        return
    written = "runtime.inplace.update({updated}, {value})"
    if updated is target:
        entry = context.program.mapping.find(context.inference.kind(owner).cls or "")
        name = entry.weights[target.attr] if entry is not None else target.attr
        written = f"runtime.inplace.update({{owner}}.{name}, {{value}})"
    values: dict[str, Value] = {"owner": owner, "updated": updated, "value": node.value}
    context.edit(node, ReplaceStatement(context.written(written), values))
    context.site(node)
    context.settled.add(target)


def is_weight(context: PlanContext, node: ast.Attribute) -> bool:
    """Tell whether an attribute is a weight of a mapped module in torch's own form."""
    kind = context.inference.kind(node.value)
    entry = context.program.mapping.find(kind.cls) if kind.name == "module" and kind.cls else None
    return (
        entry is not None
        and kind.cls not in context.program.classes
        and bool(entry.weights.get(node.attr))
        and node.attr not in entry.transforms
    )


def plan_import(context: PlanContext, node: ast.Import | ast.ImportFrom) -> None:
    """Report an import inside the graph, unless it is one of torch, which vanishes."""
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else _modules(node)
    if not all(name.partition(".")[0] == "torch" for name in modules):
        plan_refused(context, node)


def _modules(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]


def plan_refused(context: PlanContext, node: ast.AST) -> None:
    """Report statements and expressions that the graph compiler does not accept."""
    if not context.in_graph:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                _report_item_update(context, target)
        return
    if isinstance(node, ast.Delete) and all(isinstance(item, ast.Name) for item in node.targets):
        # A graph frees what is no longer read.
        context.edit(node, Drop())
        context.site(node)
        return
    if isinstance(node, ast.Set) and all(isinstance(item, ast.Constant) for item in node.elts):
        values: dict[str, Value] = {f"item_{i}": item for i, item in enumerate(node.elts)}
        context.edit(node, Replace(f"({', '.join(f'{{{name}}}' for name in values)},)", values))
        context.site(node)
        return
    word = REFUSED.get(type(node))
    if word is not None and not (isinstance(node, ast.NamedExpr) and context.edits.get(node)):
        refuse(context, node, "PRT305", f"{word} is not accepted in a graph", None)
    if isinstance(node, ast.ListComp | ast.GeneratorExp) and len(node.generators) > 1:
        plan_nested_loops(context, node)
    if isinstance(node, ast.DictComp) and len(node.generators) > 1:
        refuse(
            context,
            node,
            "PRT305",
            "a comprehension with two loops is not accepted in a graph",
            None,
        )
    if isinstance(node, ast.For | ast.While) and node.orelse:
        refuse(context, node, "PRT305", "a loop with else is not accepted in a graph", None)
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            _plan_item_update(context, node, target)
            if _only_records(context, target):
                # What a graph computes has its gradient in any case.
                context.edit(node, Drop())
                context.site(node)
                context.vanished.update(ast.walk(node))
            elif isinstance(target, ast.Attribute) and context.inference.kind(
                target.value
            ).name in (
                "module",
                "tensor",
            ):
                refuse(
                    context,
                    node,
                    "PRT306",
                    f"the state {ast.unparse(target)} is changed in the graph",
                    None,
                )


def _only_records(context: PlanContext, target: ast.expr) -> bool:
    """Tell whether `requires_grad` of a tensor is set, which a parameter alone has here."""
    return (
        isinstance(target, ast.Attribute)
        and target.attr == "requires_grad"
        and isinstance(target.value, ast.Name)
        and context.inference.kind(target.value).name == "tensor"
    )


def _report_item_update(context: PlanContext, target: ast.expr) -> None:
    """Report `x[i] = y` outside of a graph where there is a view of x, which is other memory."""
    if (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and context.inference.kind(target.value).name == "tensor"
    ):
        report_views(context, target.value, "an assignment to an item")


def _plan_item_update(context: PlanContext, node: ast.stmt, target: ast.expr) -> None:
    """Report `x[i] = y` where somebody else holds x: in a graph only this name gets the update."""
    if (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and context.inference.kind(target.value).name == "tensor"
        and may_be_shared(context, target.value)
    ):
        context.find(
            node,
            "PRT203",
            f"a caller or another name of {target.value.id!r} does not see the update",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
        )


def drop_unread_assignments(context: PlanContext, function: ast.AST) -> None:
    """Remove `device = x.device`, and what only removed code read, where nothing left reads it."""
    loads: dict[str, list[ast.Name]] = {}
    nodes = context.program.below(function)
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            loads.setdefault(node.id, []).append(node)
    tested = {
        node.left
        for node in nodes
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)
    }
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
        else:
            continue
        if not isinstance(target, ast.Name) or node.value is None:
            continue
        uses = loads.get(target.id, [])
        if node.value in context.spread and all(use in context.vanished for use in uses):
            context.edit(node, Drop())
            continue
        device = context.inference.kind(node.value).name == "device"
        if not device and (not uses or dotted(node.value) is None):
            continue
        if all(use in context.vanished for use in uses):
            context.forget(node)
            context.edit(node, Drop())
        elif device and all(use in context.vanished or use in tested for use in uses):
            # A name that is asked for None, before it is given a device, stays None.
            context.forget(node.value)
            context.edit(node.value, Replace("None"))
