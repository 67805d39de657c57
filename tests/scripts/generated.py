"""Make scripts: of the samples of the mapping tables, and of PyTorch's own docstrings."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from typing import Any

import numpy as np
import torch

from porter.mapping.load import Mapping
from porter.parity.cells import spellings
from porter.parity.sample_arrays import make_array
from porter.parity.samples import ArraySpec, Case, ParsedCall, cases_of, unique_entries

LARGE = 300
PRELUDE = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
TOO_LARGE = ("torch.nn.Conv3d", "torch.nn.ConvTranspose3d")
"""Examples whose tensors take MindSpore minutes on a CPU."""
NAMESPACES = (
    "torch",
    "torch.Tensor",
    "torch.nn",
    "torch.nn.functional",
    "torch.linalg",
    "torch.fft",
    "torch.special",
)


def sample_scripts(mapping: Mapping) -> dict[str, str]:
    """Return a script for each sample of torch's functions, methods and modules, in all spellings.

    Of a function whose first argument is a tensor, there is the call as a method, too.
    """
    scripts: dict[str, str] = {}
    for entry in unique_entries(mapping):
        if not entry.name.startswith("torch.") or entry.manual is not None:
            continue
        for case in cases_of(entry):
            for each in (case, *spellings(case)):
                scripts[each.class_name] = _script(each)
            if (text := _as_method(case)) is not None:
                scripts[f"{case.class_name}_method"] = text
    return scripts


def _script(case: Case) -> str:
    call = case.call.call
    name = case.entry.name
    lines = ["import torch", ""]
    if case.init is not None:
        lines += _arrays(case, case.init)
        lines.append(f"layer = {name}({_arguments(case.init.call)})")
        lines.append("for _weight in layer.parameters():")
        lines.append("    torch.nn.init.constant_(_weight, 0.1)")
        if case.entry.compare == "statistics":
            lines.append("layer.eval()")
    lines += _arrays(case, case.call)
    match case.entry.kind:
        case "module":
            lines.append(f"result = layer({_arguments(call)})")
        case "method" | "attribute":
            receiver, *rest = call.args
            text = ast.unparse(receiver)
            if not isinstance(receiver, ast.Name):
                lines.append(f"value = {text}")
                text = "value"
            text = f"{text}.{name.rpartition('.')[2]}"
            if case.entry.kind == "method":
                text += f"({_arguments(ast.Call(call.func, rest, call.keywords))})"
            if name.endswith("_"):
                lines += [text, f"result = {text.partition('.')[0]}"]
            else:
                lines.append(f"result = {text}")
        case "constant":
            lines.append(f"result = {name}")
        case _:
            lines.append(f"result = {name}({_arguments(call)})")
    return "\n".join([*lines, ""])


def _as_method(case: Case) -> str | None:
    call = case.call.call
    if case.entry.kind != "function" or not call.args or not isinstance(call.args[0], ast.Name):
        return None
    arrays = dict(case.call.arrays)
    method = case.entry.name.rpartition(".")[2]
    if call.args[0].id not in arrays or not hasattr(torch.Tensor, method):
        return None
    rest = _arguments(ast.Call(call.func, call.args[1:], call.keywords))
    lines = ["import torch", "", *_arrays(case, case.call)]
    lines.append(f"result = {call.args[0].id}.{method}({rest})")
    return "\n".join([*lines, ""])


def _arguments(call: ast.Call) -> str:
    given = [ast.unparse(argument) for argument in call.args]
    return ", ".join([*given, *(f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords)])


def _arrays(case: Case, parsed: ParsedCall) -> list[str]:
    return [
        f"{name} = {_array(spec, case.seed, position)}"
        for position, (name, spec) in enumerate(parsed.arrays)
    ]


def _array(spec: ArraySpec, *seed: int) -> str:
    if int(np.prod(spec.shape)) > LARGE:
        numbers = f"torch.arange({int(np.prod(spec.shape))}) * 37 % 101"
        low, high = (-2.0, 2.0) if spec.low is None else (spec.low, spec.high or 1.0)
        if spec.dtype.startswith(("float", "complex")):
            numbers = f"({numbers}) / 101 * {high - low} + {low}"
        return f"({numbers}).reshape({spec.shape}).to(torch.{spec.dtype})"
    values = make_array(spec, *seed).tolist()
    text = re.sub(r"\b(nan|inf)\b", r"float('\1')", repr(values))
    natural = {"float32": float, "int64": int, "bool": bool}.get(spec.dtype)
    flat = np.asarray(values).reshape(-1)
    given = natural is not None and flat.size and isinstance(flat[0].item(), natural)
    return f"torch.tensor({text})" if given else f"torch.tensor({text}, dtype=torch.{spec.dtype})"


def docstring_scripts() -> dict[str, str]:
    """Return a script for each public name of torch whose docstring has examples.

    An expression becomes a variable of its own, since what it gives is compared.
    """
    scripts: dict[str, str] = {}
    for namespace in NAMESPACES:
        owner = _resolve(namespace)
        for name in sorted(set(dir(owner))):
            value = inspect.getattr_static(owner, name, None)
            full = f"{namespace}.{name}"
            if name.startswith("_") or inspect.ismodule(value) or full in TOO_LARGE:
                continue
            docstring = getattr(getattr(owner, name, None), "__doc__", None)
            text = _examples(docstring) if isinstance(docstring, str) else ""
            if text:
                scripts[full.replace(".", "_")] = PRELUDE + text
    return scripts


def _resolve(name: str) -> Any:
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def _examples(docstring: str) -> str:
    try:
        examples = doctest.DocTestParser().get_examples(inspect.cleandoc(docstring))
    except ValueError:
        return ""
    lines = []
    for number, example in enumerate(examples):
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            continue
        match tree.body:
            case [ast.Expr(value=ast.Call(func=ast.Name(id="print")))]:
                lines.append(example.source.rstrip())
            case [ast.Expr(value=value)]:
                lines.append(f"value_{number} = {ast.get_source_segment(example.source, value)}")
            case _:
                lines.append(example.source.rstrip())
    return "\n".join([*lines, ""]) if lines else ""
