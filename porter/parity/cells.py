"""Write the samples of the mapping tables as PyTorch source, one torch.nn.Module for each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from porter.mapping.bind import Binding, bind
from porter.parity.samples import Case, ParsedCall, spelled
from porter.source.dtypes import TENSORS

SPELLINGS = ("keywords", "reversed", "positional", "short")


def source_text(cases: Sequence[Case]) -> str:
    """Return the source of a module that holds one class for each case.

    The class takes the arrays of a constructor's sample, and its `forward` those of the call.
    """
    imports = {"torch", *(_module(case.entry.name) for case in cases)}
    spelled = {"numpy": "numpy as np"}
    lines = [*(f"import {spelled.get(name, name)}" for name in sorted(imports)), "", ""]
    return "\n".join([*lines, *(line for case in cases for line in _class(case))])


def _module(name: str) -> str:
    """Return the module that a full name is imported from; all of torch comes with `torch`."""
    top = name.partition(".")[0]
    return top if top in ("torch", "numpy") else name.rpartition(".")[0]


def _class(case: Case) -> Iterator[str]:
    yield f"class {case.class_name}(torch.nn.Module):"
    if case.init is not None:
        yield f"    def __init__({_parameters(case.init)}):"
        yield "        super().__init__()"
        yield f"        self.layer = {constructor_of(case, case.init)}"
        yield ""
    yield f"    def forward({_parameters(case.call)}):"
    expression = expression_of(case)
    if case.entry.kind in ("method", "function") and case.entry.name.endswith("_"):
        # An update in place is an assignment in a port: it needs a tensor that is its own.
        name = case.call.arrays[0][0]
        yield f"        value = {name}.clone()"
        updated = re.sub(rf"{name}(?!\w)", "value", expression)
        yield f"        {updated}"
        expression = "value"
    if case.overload.result == "dtype" and case.entry.kind != "constant":
        # A dtype cannot leave a graph; what it is for can.
        expression = f"torch.zeros((2, 3), dtype={expression})"
    yield f"        return {expression}"
    yield ""
    yield ""


def _parameters(call: ParsedCall) -> str:
    """Return the parameters of a method: an annotation says which dtype its array has."""
    classes = {dtype: name for name, dtype in TENSORS.items()}
    annotated = [f"{name}: torch.{classes.get(spec.dtype, 'Tensor')}" for name, spec in call.arrays]
    return ", ".join(["self", *annotated])


def _arguments(call: ast.Call) -> str:
    given = [ast.unparse(argument) for argument in call.args]
    given += [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in call.keywords]
    return ", ".join(given)


def constructor_of(case: Case, init: ParsedCall) -> str:
    """Return the expression that makes the module of a case, in PyTorch's spelling."""
    return f"{case.entry.name}({_arguments(init.call)})"


def expression_of(case: Case) -> str:
    """Return the expression that a case proves, in PyTorch's spelling."""
    call, name = case.call.call, spelled(case.entry.name)
    match case.entry.kind:
        case "module":
            return f"self.layer({_arguments(call)})"
        case "method" | "attribute":
            receiver, *rest = call.args
            text = ast.unparse(receiver)
            text = text if isinstance(receiver, ast.Name) else f"({text})"
            text = f"{text}.{name.rpartition('.')[2]}"
            if case.entry.kind == "attribute":
                return text
            return f"{text}({_arguments(ast.Call(call.func, rest, call.keywords))})"
        case "constant":
            function = "zeros" if case.overload.result == "dtype" else "full"
            library = "np" if name.startswith("np.") and function == "zeros" else "torch"
            return f"{library}.{function}({_arguments(call)})"
    return f"{name}({_arguments(call)})"


def spellings(case: Case) -> Iterator[Case]:
    """Derive the other spellings of a sample's call that mean the same.

    `keywords` names every argument that has a name, `reversed` turns their order around,
    `positional` names none that has a place, and `short` leaves out those that are the default.
    """
    signature = case.overload.signature
    parsed = case.call if case.init is None else case.init
    if signature is None or case.entry.kind not in ("function", "method", "module"):
        return
    binding = bind(signature, parsed.call)
    if not isinstance(binding, Binding):
        return
    seen = {ast.dump(parsed.call)}
    for spelling in SPELLINGS:
        call = _spelled(case, parsed.call, binding, spelling)
        if call is None or ast.dump(call) in seen:
            continue
        seen.add(ast.dump(call))
        changed = replace(parsed, call=call)
        if case.init is None:
            yield replace(case, call=changed, spelling=spelling)
        else:
            yield replace(case, init=changed, spelling=spelling)


def _spelled(case: Case, call: ast.Call, binding: Binding, spelling: str) -> ast.Call | None:
    signature = case.overload.signature
    assert signature is not None
    places = [parameter.name for parameter in signature.positional]
    default = {parameter.name: parameter.default for parameter in signature.parameters}
    variadic = any(parameter.variadic for parameter in signature.parameters)
    values = {name: value for name, value in binding.values.items() if name in default}
    if spelling == "short":
        values = {
            name: value for name, value in values.items() if ast.unparse(value) != default[name]
        }
        if len(values) == len(binding.values):
            return None
    elif variadic:
        return None
    kept: list[str] = places[: len(call.args)]
    if spelling in ("keywords", "reversed"):
        kept = places[:1] if case.entry.kind == "method" else []
    elif spelling == "positional":
        last = max((places.index(name) for name in values if name in places), default=-1)
        kept = places[: last + 1]
        for name in kept:
            if name not in values:
                text = default[name]
                assert text is not None
                values[name] = ast.parse(text, mode="eval").body
    arguments: list[ast.expr] = []
    if variadic:
        arguments = list(call.args)
    else:
        for name in kept:
            if name not in values:
                break
            arguments.append(values[name])
    placed = set(places[: len(arguments)]) if not variadic else set(places)
    keywords = [
        ast.keyword(parameter.name, values[parameter.name])
        for parameter in signature.parameters
        if parameter.name in values and parameter.name not in placed
    ]
    if spelling == "reversed":
        keywords.reverse()
    return ast.Call(call.func, arguments, keywords)
