"""Call a Cell with the inputs of a case, directly or through a wrapper, and name its outputs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn

from porter.parity.inputs import map_arrays
from porter.parity.tree import Leaf, flatten
from porter.parity.wrapper import arguments_of
from porter.types import PorterError
from porter.weights.dtypes import Array


def set_mode(mode: str, syntax: str) -> None:
    """Choose GRAPH_MODE with a syntax level, or PYNATIVE_MODE."""
    if mode == "pynative":
        ms.set_context(mode=ms.PYNATIVE_MODE)
        return
    level = ms.STRICT if syntax == "STRICT" else ms.LAX
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=level)


def read_tensor(value: Any) -> tuple[Array, str] | None:
    """Return the values and the dtype's name of a mindspore.Tensor; this waits for its result."""
    if not isinstance(value, ms.Tensor):
        return None
    dtype = str(value.dtype).lower()
    plain = value.float() if dtype == "bfloat16" else value
    return plain.asnumpy(), dtype


def symbolic(array: Array, dimensions: Sequence[int]) -> ms.Tensor:
    """Return a tensor without values whose `dimensions` are None, for `set_inputs`."""
    shape = [None if axis in dimensions else size for axis, size in enumerate(array.shape)]
    return ms.Tensor(shape=shape, dtype=ms.Tensor(array[:0] if array.ndim else array).dtype)


def tensor_of(array: Array, dtype: str = "float32") -> ms.Tensor:
    """Return a tensor of the array; float32 values become `dtype`."""
    tensor = ms.Tensor(array)
    return tensor.astype(getattr(ms, dtype)) if array.dtype == np.float32 else tensor


class DirectCall:
    """Call a Cell as its user does, with positional and keyword arguments.

    Arrays of float32 are passed as `dtype`.
    """

    def __init__(
        self, cell: nn.Cell, method: str, positional: tuple[str, ...], dtype: str = "float32"
    ) -> None:
        self.cell = cell
        self.dtype = dtype
        self.function: Callable[..., Any] = cell if method == "__call__" else getattr(cell, method)
        self.positional = positional

    @property
    def network(self) -> nn.Cell:
        """The port's own Cell."""
        return self.cell

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Leaf]:
        """Return the outputs; `inputs` holds arrays and Python values."""
        values = map_arrays(dict(inputs), lambda array: tensor_of(array, self.dtype))
        keywords = {name: item for name, item in values.items() if name not in self.positional}
        output = self.function(*[values[name] for name in self.positional], **keywords)
        return flatten(output, read_tensor)

    def make_dynamic(
        self, inputs: Mapping[str, Any], dimensions: Mapping[str, Sequence[int]]
    ) -> None:
        """Declare the None dimensions of each tensor input."""
        parameters = [
            item
            for item in inspect.signature(self.cell.construct).parameters.values()
            if item.kind is item.POSITIONAL_OR_KEYWORD
        ]
        names = dict(zip(self.positional, (item.name for item in parameters), strict=False))
        if set(inputs) == set(self.positional):
            # A call without keywords has no defaults for what is not given.
            parameters = parameters[: len(inputs)]
        given = {
            names.get(name, name): symbolic(value, dimensions.get(name, ()))
            if isinstance(value, np.ndarray)
            else value
            for name, value in inputs.items()
        }
        # By name, `set_inputs` refuses every construct that takes **kwargs.
        defaults = (None if item.default is item.empty else item.default for item in parameters)
        self.cell.set_inputs(
            *[given.get(item.name, value) for item, value in zip(parameters, defaults, strict=True)]
        )


class WrappedCall:
    """Call a generated wrapper; its flat results are named as the reference named them."""

    def __init__(self, cell: nn.Cell, leaves: Sequence[Leaf], dtype: str = "float32") -> None:
        self.cell = cell
        self.leaves = leaves
        self.dtype = dtype

    @property
    def network(self) -> Any:
        """The port's own Cell."""
        return self.cell.network

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Leaf]:
        """Return the outputs; `inputs` holds arrays and Python values."""
        arrays = arguments_of(inputs).values()
        output = self.cell(*[tensor_of(array, self.dtype) for array in arrays])
        return name_results(output, self.leaves)

    def make_dynamic(
        self, inputs: Mapping[str, Any], dimensions: Mapping[str, Sequence[int]]
    ) -> None:
        """Declare the None dimensions of each tensor input."""
        self.cell.set_inputs(
            *[
                symbolic(value, dimensions.get(name, ()))
                for name, value in arguments_of(inputs).items()
            ]
        )


def name_results(output: Any, leaves: Sequence[Leaf]) -> dict[str, Leaf]:
    """Return the results of a wrapper under the names of the reference's `leaves`."""
    results = output if isinstance(output, tuple | list) else (output,)
    if len(results) != len(leaves):
        raise PorterError("PRT612", f"{len(results)} outputs came back, not {len(leaves)}")
    named = {}
    for leaf, result in zip(leaves, results, strict=True):
        tensor = read_tensor(result)
        if tensor is None:
            raise PorterError("PRT612", f"{leaf.name} is {result!r}, not a tensor")
        named[leaf.name] = Leaf(leaf.path, "tensor", tensor[1], tensor[0])
    return named
