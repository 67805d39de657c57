"""Make MindSpore tensors from the description of a Cell's inputs."""

from __future__ import annotations

import inspect
from typing import Any

import mindspore as ms
import numpy as np

from porter.check.input_spec import InputSpec, TensorSpec


def make_value(spec: Any, seed: int = 0) -> Any:
    """Return the tensor, the Python value or the sequence that a description stands for.

    The same description and seed give the same values: standard normal floats, small integers
    from 0 on, and true beside false.
    """
    if isinstance(spec, TensorSpec):
        count = int(np.prod(spec.shape))
        if spec.dtype == "bool":
            values = np.arange(count) % 2 == 0
        elif "int" in spec.dtype:
            values = np.arange(count) % 3
        else:
            values = np.random.default_rng(seed).standard_normal(count)
        return ms.Tensor(values.reshape(spec.shape).astype(spec.dtype))
    if isinstance(spec, tuple | list):
        return type(spec)(make_value(item, seed + i) for i, item in enumerate(spec))
    return spec


def make_arguments(inputs: InputSpec) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and the keyword arguments of one call."""
    positional = [make_value(spec, i) for i, spec in enumerate(inputs.positional)]
    named = {
        name: make_value(spec, len(positional) + i) for i, (name, spec) in enumerate(inputs.named)
    }
    return positional, named


def symbol(spec: Any) -> Any:
    """Return what `set_inputs` takes for a description: tensors with None in their shapes."""
    if isinstance(spec, TensorSpec):
        if not spec.shape:
            return make_value(spec)
        return ms.Tensor(
            shape=spec.declared, dtype=getattr(ms, spec.dtype.replace("bool", "bool_"))
        )
    if isinstance(spec, tuple | list):
        return type(spec)(symbol(item) for item in spec)
    return spec


def declare(cell: Any, inputs: InputSpec) -> None:
    """Say which dimensions of the inputs change between calls.

    By name and by position at once `set_inputs` refuses: all are given in the order of construct.
    """
    if not inputs.named:
        cell.set_inputs(*[symbol(spec) for spec in inputs.positional])
        return
    given = dict(inputs.named)
    symbols = [symbol(spec) for spec in inputs.positional]
    parameters = list(inspect.signature(cell.construct).parameters.values())
    for parameter in parameters[len(symbols) :]:
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            break
        default = None if parameter.default is parameter.empty else parameter.default
        symbols.append(symbol(given.get(parameter.name, default)))
    cell.set_inputs(*symbols)
