"""Plan structured results: a dict inside the graph, named again outside it.

A NamedTuple or dataclass built inside a graph gives zero gradients and is refused by STRICT syntax;
a None in the outermost result is garbage under STRICT, so fields that may be None are left out by
the runtime's `named_output`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.plan.context import PlanContext
from porter.plan.edits import Before, Replace, ReplaceStatement, ToDict
from porter.plan.entries import refuse
from porter.plan.hoisting import without
from porter.source.kinds import UNKNOWN, Kind
from porter.source.program import FunctionInfo, without_docstring

TAKING_RETURN_DICT = (
    "transformers.utils.can_return_tuple",
    "transformers.utils.output_capturing.capture_outputs",
)
"""Decorators that take `return_dict` out of the keywords of a call."""


def plan_output_call(context: PlanContext, call: ast.Call) -> bool:
    """Plan the construction of a structured result inside the graph."""
    kind = context.inference.kind(call)
    if kind.name != "output" or not context.in_graph:
        return False
    reference = context.program.reference(call.func, context.here, context.names)
    callee = context.inference.kind(call.func)  # `Result = BaseResult` is another name of a class
    is_class = callee.name == "class" and callee.cls == kind.cls
    if kind.cls is None or not (is_class or reference == kind.cls):
        return False
    spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
    if len(spread) == 1 and not call.args:
        named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
        fields = "".join(f", {name}={{{name}}}" for name in named)
        template = context.written(f"runtime.outputs.extended({{result_}}{fields})")
        context.edit(call, Replace(template, {"result_": spread[0], **named}))
        context.site(call)
        return True
    if spread or any(isinstance(argument, ast.Starred) for argument in call.args):
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
    if may_be_tuple(context.function):
        return False
    function = FunctionInfo("", context.function, context.names)
    returned = context.inference.returns(function)
    return returned.name != "output" or returned.fields == kind.fields


def may_be_tuple(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a caller may ask for a plain tuple: then names must come with the values."""
    return any(
        item.arg == "return_dict" for item in (*function.args.args, *function.args.kwonlyargs)
    )


def always_present(kind: Kind) -> bool:
    """Tell whether no field of a result can be None, and none is a result with names of its own."""
    return bool(kind.fields) and all(
        not field.optional and field.name not in ("none", "unknown", "output", "dict")
        for _, field in kind.fields
    )


def plan_output_attribute(context: PlanContext, node: ast.Attribute, kind: Kind) -> None:
    """Plan `result.field` inside the graph."""
    if node in context.settled:
        return
    if isinstance(node.ctx, ast.Store):
        refuse(
            context,
            node,
            "PRT306",
            f"the field {node.attr!r} of a result is set in the graph",
            None,
        )
        return
    access = _access(kind, node.attr)
    context.edit(node, Replace(f"{{self}}{access}", {"self": node.value}))
    context.site(node)


def plan_return_dict(
    context: PlanContext, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Take `return_dict` out of the keywords of a function whose decorator takes it in torch.

    A result is a dict inside the graph in any case; passed on, the keyword would be given twice.
    Only where something in the port calls the function with it.
    """
    keywords = function.args.kwarg
    if not context.in_graph or keywords is None or may_be_tuple(function):
        return
    decorators = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    names = {context.names.qualified(item, context.here) for item in decorators}
    entries = [context.program.mapping.find(name) for name in names if name]
    if not any(entry is not None and entry.name in TAKING_RETURN_DICT for entry in entries):
        return
    asked = context.owner if function.name == "forward" else function.name
    body = without_docstring(function)
    if not body or asked not in _called_with_return_dict(context):
        return
    name = keywords.arg
    context.edit(body[0], Before((f"{name} = {without(name, 'return_dict')}",)))
    context.site(function)


def _called_with_return_dict(context: PlanContext) -> set[str]:
    """Return the methods, and the classes of modules, that calls of the port give `return_dict`."""
    program = context.program
    if program.asked is None:
        program.asked = set()
        for names in program.names.values():
            for node in program.below(names.module.tree):
                if isinstance(node, ast.Call) and any(
                    word.arg == "return_dict" for word in node.keywords
                ):
                    kind = context.inference.kind(node.func)
                    every = [kind, *(kind.items or ())] if kind.name == "module" else []
                    program.asked |= {item.cls for item in every if item.cls}
                    if isinstance(node.func, ast.Attribute):
                        program.asked.add(node.func.attr)
    return program.asked


def plan_field_assignment(context: PlanContext, node: ast.Assign) -> None:
    """Write `result.field = value` inside the graph as a new result under the same name.

    Nothing else may hold the result, for it would not see the new value: no parameter, no other
    name, no list.
    """
    target = node.targets[0]
    if not (
        context.in_graph
        and len(node.targets) == 1
        and isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and context.inference.kind(target.value).name == "output"
        and target.value.id not in context.parameters
        and context.function is not None
    ):
        return
    name = target.value.id
    for other in context.program.below(context.function):
        held: list[ast.expr] = []
        if isinstance(other, ast.Assign):
            held = _items(other.value)
        elif isinstance(other, ast.Call) and isinstance(other.func, ast.Attribute):
            held = other.args if other.func.attr in ("append", "insert", "extend") else []
        if any(isinstance(part, ast.Name) and part.id == name for part in held):
            return
    template = f'{name} = runtime.outputs.with_field({name}, "{target.attr}", {{value}})'
    context.edit(node, ReplaceStatement(context.written(template), {"value": node.value}))
    context.site(node)
    context.settled.add(target)


def _items(node: ast.expr) -> list[ast.expr]:
    """Return what a value may be the same object as: itself, or what a display holds."""
    if isinstance(node, ast.Tuple | ast.List):
        return [part for item in node.elts for part in _items(item)]
    if isinstance(node, ast.IfExp):
        return [*_items(node.body), *_items(node.orelse)]
    return [node]


def _access(kind: Kind, name: str) -> str:
    field = kind.field(name)
    present = field is not None and not field.optional and field.name not in ("none", "unknown")
    return f'["{name}"]' if present and always_present(kind) else f'.get("{name}")'


def _is_cache(name: str, given: set[str]) -> bool:
    return name == "cache" and "past_key_values" in given and name not in given


def plan_output_subscript(context: PlanContext, node: ast.Subscript, kind: Kind) -> None:
    """Plan `result[0]` inside the graph: the position counts the fields that are not None.

    Fields count in the order of their class, whatever the order of the call that made the result.
    """
    index = node.slice
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return
    declared = context.program.declared_fields(kind.cls or "")
    has = {name for name, f in kind.fields if f.name not in ("none", "unknown")}
    # The classes of the runtime call a cache so whatever transformers does.
    order = ["past_key_values" if _is_cache(name, has) else name for name in declared]
    number = index.value if isinstance(index, ast.Constant) else None
    counted = context.program.is_named_tuple(kind.cls or "") and bool(kind.fields)
    if counted and isinstance(number, int) and 0 <= number < len(order):
        access = _access(kind, order[number])
        context.edit(node, Replace(f"{{self}}{access}", {"self": node.value}))
        context.site(node)
        return
    # A cache is None in a port, whatever it is called.
    unknown = [n for n, f in kind.fields if n not in order and f.name not in ("none", "unknown")]
    if unknown or not (kind.fields or order) or context.program.is_named_tuple(kind.cls or ""):
        refuse(
            context,
            node,
            "PRT105",
            "which field of the result this index means depends on which fields are None",
            None,
        )
        return
    fields = kind.fields or tuple((name, UNKNOWN) for name in order)
    given = sorted(
        (field for field in fields if field[0] in order),
        key=lambda field: order.index(field[0]),
    )
    if (
        isinstance(number, int)
        and 0 <= number < len(given)
        # Fields behind it may be None: the position counts those before it.
        and always_present(replace(kind, fields=tuple(given[: number + 1])))
    ):
        name = given[number][0]
        context.edit(node, Replace(f'{{self}}["{name}"]', {"self": node.value}))
    else:
        names = ", ".join(f'"{name}"' for name, _ in given) + ("," if len(given) == 1 else "")
        written = context.written(f"runtime.outputs.positions({{self}}, ({names}))")
        context.edit(node.value, Replace(written, {"self": node.value}))
    context.site(node)


def result_elsewhere(context: PlanContext, node: ast.expr) -> Kind | None:
    """Return the structured result that another assignment says a name of no known kind is."""
    if not (isinstance(node, ast.Name) and context.in_graph and context.function is not None):
        return None
    if context.inference.kind(node).name != "unknown":
        return None
    for other in context.program.below(context.function):
        if isinstance(other, ast.Assign | ast.AnnAssign) and other.value is not None:
            targets = other.targets if isinstance(other, ast.Assign) else [other.target]
            kind = context.inference.kind(other.value)
            if kind.name == "output" and any(
                isinstance(target, ast.Name) and target.id == node.id for target in targets
            ):
                return replace(kind, fields=())
    return None


def plan_open_subscript(context: PlanContext, node: ast.Subscript) -> None:
    """Plan `result[0]` of what is a result or a tuple, as the caller asked: the port looks."""
    kind = result_elsewhere(context, node.value)
    index = node.slice
    order = context.program.declared_fields(kind.cls or "") if kind is not None else ()
    if not order or not (isinstance(index, ast.Constant) and isinstance(index.value, int)):
        return
    names = ", ".join(f'"{name}"' for name in order) + ("," if len(order) == 1 else "")
    template = f"runtime.outputs.item_at({{self}}, {index.value}, ({names}))"
    context.edit(node, Replace(context.written(template), {"self": node.value}))
    context.site(node)
