"""Plan structured results: a dict inside the graph, named again outside it.

A NamedTuple or dataclass built inside a graph gives zero gradients and is refused by STRICT syntax;
a None in the outermost result is garbage under STRICT, so fields that may be None are left out by
the runtime's `named_output`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.plan.context import PlanContext
from porter.plan.edits import Replace, ToDict
from porter.plan.entries import refuse
from porter.source.kinds import Kind
from porter.source.program import FunctionInfo


def plan_output_call(context: PlanContext, call: ast.Call) -> bool:
    """Plan the construction of a structured result inside the graph."""
    kind = context.inference.kind(call)
    if kind.name != "output" or not context.in_graph:
        return False
    reference = context.program.reference(call.func, context.here, context.names)
    if reference is None or reference != kind.cls:
        return False
    if any(isinstance(a, ast.Starred) for a in call.args) or any(
        k.arg is None for k in call.keywords
    ):
        refuse(
            context,
            call,
            "PRT104",
            "starred arguments do not tell which fields the result has",
            None,
        )
        return True
    if len(kind.fields) < len(call.args) + len(call.keywords):
        refuse(
            context,
            call,
            "PRT107",
            f"the fields of {kind.cls} are not known; name them in the call",
            None,
        )
        return True
    if always_present(kind) and _is_whole_result(context, kind):
        keys = tuple(name for name, _ in kind.fields)
        context.edit(call, ToDict(keys))
    else:
        arguments = [f"{name}={{{name}}}" for name, _ in kind.fields]
        values = dict(
            zip(
                (n for n, _ in kind.fields),
                [*call.args, *(k.value for k in call.keywords)],
                strict=True,
            )
        )
        template = context.written(f"runtime.outputs.named_output({', '.join(arguments)})")
        context.edit(call, Replace(template, dict(values)))
    context.site(call)
    return True


def _is_whole_result(context: PlanContext, kind: Kind) -> bool:
    """Tell whether the class can name the fields: its forward returns these, whatever the path."""
    if context.function is None:
        return True
    function = FunctionInfo("", context.function, context.names)
    returned = context.inference.returns(function)
    return returned.name != "output" or returned.fields == kind.fields


def always_present(kind: Kind) -> bool:
    """Tell whether no field of a result can be None."""
    return bool(kind.fields) and all(
        not field.optional and field.name not in ("none", "unknown") for _, field in kind.fields
    )


def plan_output_attribute(context: PlanContext, node: ast.Attribute, kind: Kind) -> None:
    """Plan `result.field` inside the graph."""
    field = kind.field(node.attr)
    if isinstance(node.ctx, ast.Store):
        refuse(
            context,
            node,
            "PRT306",
            f"the field {node.attr!r} of a result is set in the graph",
            None,
        )
        return
    present = field is not None and not field.optional and field.name not in ("none", "unknown")
    access = f'["{node.attr}"]' if present and always_present(kind) else f'.get("{node.attr}")'
    context.edit(node, Replace(f"{{self}}{access}", {"self": node.value}))
    context.site(node)


def plan_output_subscript(context: PlanContext, node: ast.Subscript, kind: Kind) -> None:
    """Plan `result[0]` inside the graph: the position counts the fields that are not None."""
    index = node.slice
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return
    if (
        isinstance(index, ast.Constant)
        and isinstance(index.value, int)
        and 0 <= index.value < len(kind.fields)
        # Fields behind it may be None: the position counts those before it.
        and always_present(replace(kind, fields=kind.fields[: index.value + 1]))
    ):
        name = kind.fields[index.value][0]
        context.edit(node, Replace(f'{{self}}["{name}"]', {"self": node.value}))
        context.site(node)
        return
    refuse(
        context,
        node,
        "PRT105",
        "which field of the result this index means depends on which fields are None",
        None,
    )
