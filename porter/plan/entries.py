"""Apply one mapping entry to one call: choose the spelling, check the arguments, fill it in."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from porter.mapping.bind import Binding, BindingError, bind
from porter.mapping.schema import Entry, Overload
from porter.plan.context import PlanContext
from porter.plan.edits import Drop, Replace, Value
from porter.plan.empties import reduces_nothing
from porter.plan.hoisting import spread
from porter.source.dtypes import integral
from porter.source.kinds import fits, is_shape
from porter.types import Applicability, Severity

IDENTIFIER = re.compile(r"\{(\w+)\}")


def apply_entry(
    context: PlanContext, entry: Entry, call: ast.Call, receiver: ast.expr | None, name: str
) -> bool:
    """Plan a call by its entry; returns whether the call is rewritten.

    Args:
        receiver: what a method is called on, None for a function.
        name: the full torch name as the source resolved it, for the messages.
    """
    if entry.graph_only and not context.in_graph:
        return False
    if entry.manual is not None:
        refuse(context, call, "PRT102", f"{name} cannot be carried over: {entry.manual}", entry)
        return False
    if entry.graph_manual is not None and context.in_graph:
        refuse(
            context,
            call,
            "PRT304",
            f"{name} takes a value to the host: {entry.graph_manual}",
            entry,
        )
        return False
    chosen = choose(context, entry, call, receiver, name)
    if chosen is None:
        return False
    overload, binding = chosen
    if overload.manual is not None:
        refuse(context, call, "PRT102", f"{name} cannot be carried over: {overload.manual}", entry)
        return False
    if not admitted(context, entry, overload, binding, call, name):
        return False
    if reduces_nothing(context, name, receiver or next(iter(binding.values.values()), None)):
        message = f"{name} of a tensor without elements gives what the memory held in MindSpore"
        refuse(context, call, "PRT105", message, entry)
        return False
    if overload.drop:
        context.edit(call, Drop())
    else:
        template = template_of(context, overload, binding)
        rule = context.program.mapping.dtype_rule(entry.name)
        if rule == "floating":
            template = _with_floats(context, template)
        elif rule == "promoted":
            template = _with_one_dtype(context, template)
        context.edit(call, template)
    out = given_out(call)
    if out is not None:
        written = context.written("runtime.inplace.write_out({out}, {value})")
        context.vanished.difference_update(ast.walk(out))
        context.edit(call, Replace(written, {"out": out, "value": call}))
    context.site(call)
    raise_finding(context, entry, call, name)
    return True


def given_out(call: ast.Call) -> ast.expr | None:
    """Return the tensor that a call is to write its result into, None where it says none."""
    for keyword in call.keywords:
        none = isinstance(keyword.value, ast.Constant) and keyword.value.value is None
        if keyword.arg == "out" and not none:
            return keyword.value
    return None


def raise_finding(context: PlanContext, entry: Entry, node: ast.AST, name: str) -> None:
    """Report what an entry says of each of its uses."""
    if entry.nan_differs and context.about_nan:
        message = f"MindSpore on the CPU does not give nan where {name} does"
        review, warning = Applicability.REVIEW, Severity.WARNING
        context.find(node, "PRT213", message, applicability=review, severity=warning)
    carried = context.differentiation is not None and entry.overloads[0].result == "optimizer"
    if entry.finding is None or carried:
        return
    severity = Severity(entry.finding.severity)
    applicability = Applicability.APPLIED if severity is Severity.NOTE else Applicability.REVIEW
    context.find(
        node,
        entry.finding.code,
        entry.finding.message,
        applicability=applicability,
        severity=severity,
        torch_name=name,
    )


def refuse(
    context: PlanContext, node: ast.AST, code: str, message: str, entry: Entry | None
) -> None:
    """Report that a place is left as it was."""
    context.find(node, code, message, torch_name=entry.name if entry else None)


def choose(
    context: PlanContext, entry: Entry, call: ast.Call, receiver: ast.expr | None, name: str
) -> tuple[Overload, Binding] | None:
    """Return the one spelling that the call can be; report why there is none."""
    call = spread(context, call)
    failure: BindingError | None = None
    bound: list[tuple[Overload, Binding]] = []
    candidates: list[tuple[Overload, Binding, bool]] = []
    for overload in entry.overloads:
        if overload.signature is None:
            if overload.drop:
                return overload, Binding({}, {}, frozenset())
            continue
        binding = bind(overload.signature, call, receiver)
        if isinstance(binding, BindingError):
            failure = failure or binding
            continue
        bound.append((overload, binding))
        verdict = _fit(context, overload, binding, len(entry.overloads) > 1)
        if verdict is not False:
            candidates.append((overload, binding, verdict is True))
    if not candidates:
        if failure is None or bound:
            text = next((text for item in bound if (text := _not_literal(*item))), "")
            message = text or "no spelling in the table takes arguments of these kinds"
            failure = BindingError("PRT105", message)
        refuse(context, call, failure.code, f"{name}: {failure.message}", entry)
        return None
    # Where the kinds do not tell, the spelling that takes every kind is meant.
    general = (item for item in candidates if not item[0].types)
    overload, binding, sure = candidates[0] if candidates[0][2] else next(general, candidates[0])
    if len(candidates) > 1 and not sure:
        refuse(
            context,
            call,
            "PRT108",
            f"{name}: the kinds of the arguments do not tell which of {len(candidates)} spellings"
            " is meant",
            entry,
        )
        return None
    return overload, binding


def _fit(context: PlanContext, overload: Overload, binding: Binding, several: bool) -> bool | None:
    """Tell whether the kinds fit: False contradicted, None not known."""
    sure: bool | None = True
    for name, wanted in overload.types.items():
        values = (
            [binding.values[name]]
            if name in binding.values
            else list(binding.variadic.get(name, ()))
        )
        for value in values[:1]:
            kind = context.inference.kind(value)
            # Calls of NumPy become calls that make tensors inside the graph only.
            on_host = kind.name == "array" and not context.in_graph
            verdict = False if on_host and wanted == "tensor" else fits(kind, wanted)
            if verdict is False:
                return False
            if verdict is None:
                sure = None
    if several and _not_literal(overload, binding):
        return False
    return sure


def _not_literal(overload: Overload, binding: Binding) -> str:
    """Say which argument is none of the literals that a spelling takes; empty where each is."""
    for name, literals in overload.only.items():
        given = binding.values.get(name)
        default = overload.signature[name].default if overload.signature else None
        text = default if given is None else ast.unparse(given)
        if not _is_one_of(text, literals):
            return f"{name}={text} is not carried over; {' or '.join(literals)} is"
    return ""


def _is_one_of(text: str | None, literals: tuple[str, ...]) -> bool:
    """Tell whether an argument is one of the literals that an entry takes, whatever its quotes."""
    return text is not None and text.replace('"', "'") in {
        item.replace('"', "'") for item in literals
    }


def admitted(
    context: PlanContext,
    entry: Entry,
    overload: Overload,
    binding: Binding,
    call: ast.Call,
    name: str,
) -> bool:
    """Check the arguments that an entry refuses or takes as literals; report the first failure."""
    signature = overload.signature
    if signature is None:
        return True
    mapping = context.program.mapping
    if context.in_graph and given_out(call) is not None:
        refuse(context, call, "PRT103", f"{name}: the argument 'out' has no counterpart", entry)
        return False
    for parameter, value in binding.values.items():
        if parameter == "out":
            continue
        default = signature[parameter].default
        text = ast.unparse(value)
        rejected = parameter in overload.reject or (
            parameter in mapping.rejected and f"{{{parameter}}}" not in (overload.emit or "")
        )
        if rejected and text != default:
            refuse(
                context,
                call,
                "PRT103",
                f"{name}: the argument {parameter!r} has no counterpart",
                entry,
            )
            return False
    unfit = _not_literal(overload, binding) or _other_dtype(context, overload, binding)
    if unfit:
        refuse(context, call, "PRT105", f"{name}: {unfit}", entry)
    return not unfit


def _other_dtype(context: PlanContext, overload: Overload, binding: Binding) -> str:
    """Say which dtype a module is made of where its Cell has float32 alone; empty where it fits."""
    given = binding.values.get("dtype")
    if given is None or "dtype" not in overload.ignore:
        return ""
    dtype = context.inference.kind(given).dtype
    return (
        f"dtype={ast.unparse(given)} is not carried over" if dtype not in (None, "float32") else ""
    )


def template_of(context: PlanContext, overload: Overload, binding: Binding) -> Replace:
    """Return the edit that writes a bound call in its MindSpore spelling."""
    values: dict[str, Value] = dict(binding.values)
    values.update({name: items for name, items in binding.variadic.items() if items})
    if overload.emit is not None:
        template = overload.emit
    else:
        template = _call_template(context, overload, binding)
    if overload.signature is not None and overload.signature.options is not None:
        options = []
        for position, keyword in enumerate(binding.options):
            option = f"option_{position}"
            values[option] = keyword.value
            options.append(f"{keyword.arg}={{{option}}}" if keyword.arg else f"**{{{option}}}")
        written_out = "".join(f", {item}" for item in options)
        template = template.replace(f", **{{{overload.signature.options}}}", written_out)
    written = {name for name in values if f"{{{name}}}" in template}
    vanish(context, [value for name, value in values.items() if name not in written])
    values = {name: value for name, value in values.items() if name in written}
    for name in written:
        template, values[name] = _coerced(context, overload, name, template, values[name])
    defaults: dict[str, str] = {}
    if overload.signature is not None:
        defaults = {
            p.name: p.default for p in overload.signature.parameters if p.default is not None
        }
    return Replace(context.written(template), values, defaults)


def _with_floats(context: PlanContext, template: Replace) -> Replace:
    """Convert tensors of whole numbers, which torch converts itself and MindSpore refuses."""
    text = template.template
    for name, value in template.values.items():
        kind = context.inference.kind(value) if isinstance(value, ast.expr) else None
        counted = kind is not None and kind.dtype is None and _counts(context, value)
        if kind is not None and kind.name == "tensor" and (counted or integral(kind.dtype)):
            converted = context.written(f"{{{name}}}.astype(ms.float32)")
            text = text.replace(f"{{{name}}}", converted)
    return replace(template, template=text)


def _counts(context: PlanContext, value: Value) -> bool:
    """Tell whether a value is a `torch.arange` without a dtype: of whole numbers, or of float32."""
    if not isinstance(value, ast.Call) or any(item.arg == "dtype" for item in value.keywords):
        return False
    return context.names.qualified(value.func, context.here) == "torch.arange"


def _with_one_dtype(context: PlanContext, template: Replace) -> Replace:
    """Convert tensors of several dtypes that are joined, which MindSpore refuses."""
    text = template.template
    for name, value in template.values.items():
        if not isinstance(value, ast.List | ast.Tuple):
            continue
        kinds = [context.inference.kind(item) for item in value.elts]
        dtypes = {kind.dtype for kind in kinds if kind.name == "tensor"} - {None}
        if len(dtypes) > 1:
            joined = context.written(f"runtime.joining.of_one_dtype({{{name}}})")
            text = text.replace(f"{{{name}}}", joined)
    return replace(template, template=text)


def vanish(context: PlanContext, values: list[Value]) -> None:
    """Remember the parts of arguments that the port does not write."""
    for value in values:
        for item in value if isinstance(value, tuple) else (value,):
            context.vanished.update(ast.walk(item))


def _call_template(context: PlanContext, overload: Overload, binding: Binding) -> str:
    """Write `target(...)` with the caller's arguments in the caller's order."""
    assert overload.target is not None
    assert overload.signature is not None
    mapping = context.program.mapping
    parts: list[str] = []
    leading = True
    names = [*binding.values, *(name for name, items in binding.variadic.items() if items)]
    order = {parameter.name: i for i, parameter in enumerate(overload.signature.parameters)}
    positional = [n for n in names if n not in binding.by_keyword]
    keywords = [n for n in names if n in binding.by_keyword]
    for name in [*sorted(positional, key=lambda n: order[n]), *keywords]:
        fixed = len(overload.only.get(name, ())) == 1
        skipped = name in overload.ignore or fixed or name in overload.reject
        if skipped or (name in mapping.ignored | mapping.rejected and name not in overload.rename):
            leading = False
            continue
        target = overload.rename.get(name, name)
        if leading and name not in binding.by_keyword and order[name] < overload.positional:
            parts.append(f"{{{name}}}")
        else:
            leading = False
            parts.append(f"{target}={{{name}}}")
    given = {overload.rename.get(name, name) for name in names}
    parts += [f"{name}={text}" for name, text in overload.defaults.items() if name not in given]
    return f"{context.spelled(overload.target)}({', '.join(parts)})"


def _coerced(
    context: PlanContext, overload: Overload, name: str, template: str, value: Value
) -> tuple[str, Value]:
    """Apply a parameter's coercion, in the template where it needs words around the value."""
    coercion = overload.coerce.get(name)
    if isinstance(value, tuple):
        # Where they are unpacked again they stay arguments; else they are one shape.
        spread_out = f"*{{{name}}}" in template
        return template, value if spread_out else _shape_value(context, value)
    kind = context.inference.kind(value)
    placeholder = f"{{{name}}}"
    match coercion:
        case "tuple":
            if is_shape(kind) or kind.name in ("tuple", "list"):
                return template, value
            return template.replace(placeholder, f"({placeholder},)"), value
        case "shape":
            if kind.name == "int":
                return template.replace(placeholder, f"({placeholder},)"), value
            return template, value
        case "list" if kind.name == "list" and not isinstance(value, ast.GeneratorExp):
            return template, value
        case "list" | "int" | "float":
            return template.replace(placeholder, f"{coercion}({placeholder})"), value
        case "not":
            return template.replace(placeholder, f"(not {placeholder})"), value
        case "negate":
            return template.replace(placeholder, f"(-{placeholder})"), value
    return template, value


def _shape_value(context: PlanContext, items: tuple[ast.expr, ...]) -> Value:
    """Return one value for variadic arguments: the sequence itself where the caller gave one."""
    if len(items) == 1:
        only = items[0]
        if isinstance(only, ast.Starred):
            kind = context.inference.kind(only.value)
            return only.value if is_shape(kind) and kind.name != "list" else items
        kind = context.inference.kind(only)
        if kind.name == "int" or (kind.name == "tensor" and kind.sure):
            return items
        return only
    return items
