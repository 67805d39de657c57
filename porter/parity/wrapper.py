"""Write a small Cell around the port: positional tensors in, a flat tuple or a scalar loss out."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from porter.parity.generated import import_generated
from porter.parity.tree import Leaf
from porter.weights.dtypes import Array


def arguments_of(inputs: Mapping[str, Any]) -> dict[str, Array]:
    """Return the arrays that the construct of a wrapper takes, in order and by argument name."""
    arguments: dict[str, Array] = {}
    for name, value in inputs.items():
        _expression(name, value, arguments)
    return arguments


def write_wrapper(
    path: Path,
    inputs: Mapping[str, Any],
    positional: Sequence[str],
    method: str,
    leaves: Sequence[Leaf],
    *,
    loss: bool,
) -> Any:
    """Write a Cell class to `path`, import it, and return it.

    MindSpore compiles from source text, so the Cell must be a file. Its construct takes the
    arguments that `arguments_of` names, calls `method` of the network, and returns the tensors that
    `leaves` name, or with `loss` the sum of each times its factors. The class is called with the
    network and the list of factors.
    """
    arguments: dict[str, Array] = {}
    values = {name: _expression(name, value, arguments) for name, value in inputs.items()}
    given = [values[name] for name in positional]
    given += [f"{name}={text}" for name, text in values.items() if name not in positional]
    called = "self.network" if method == "__call__" else f"self.network.{method}"
    items = ["output" + "".join(f"[{part!r}]" for part in leaf.path) for leaf in leaves]
    if loss:
        factors = [f"        self.factor_{i} = Tensor(factors[{i}])" for i in range(len(items))]
        terms = [
            f"        loss = loss + ops.reduce_sum({item}.astype(ms.float32) * self.factor_{i})"
            for i, item in enumerate(items)
        ]
        result = ["        loss = 0.0", *terms, "        return loss"]
    else:
        factors = []
        result = ["        return (" + ", ".join(items) + ",)"]
    lines = [
        '"""Wrap a port for one comparison; generated."""',
        "",
        "import mindspore as ms",
        "from mindspore import Tensor, nn, ops",
        "",
        "",
        "class Wrapper(nn.Cell):",
        "    def __init__(self, network, factors=()):",
        "        super().__init__()",
        "        self.network = network",
        *factors,
        "",
        f"    def construct(self, {', '.join(arguments)}):",
        f"        output = {called}({', '.join(given)})",
        *result,
        "",
    ]
    return import_generated(path, "\n".join(lines)).Wrapper


def _expression(name: str, value: Any, arguments: dict[str, Array]) -> str:
    """Return Python source for an input; each array in it becomes an argument of construct."""
    if isinstance(value, np.ndarray):
        argument = f"{name}_" if keyword.iskeyword(name) or name in arguments else name
        arguments[argument] = value
        return argument
    if isinstance(value, list):
        return (
            "["
            + ", ".join(_expression(f"{name}_{i}", item, arguments) for i, item in enumerate(value))
            + "]"
        )
    if isinstance(value, dict):
        items = (
            f"{key!r}: {_expression(f'{name}_{i}', item, arguments)}"
            for i, (key, item) in enumerate(value.items())
        )
        return "{" + ", ".join(items) + "}"
    if isinstance(value, float) and not np.isfinite(value):
        return f"float({str(value)!r})"
    return repr(value)
