"""Run a cell in every mode and compare values, shapes, dtypes and gradients with torch."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mindspore as ms
import numpy as np
import torch
from mindspore import Tensor, nn

MODES = ("strict", "dynamic", "lax", "pynative")
Arrays = tuple[Any, ...]


class Call(nn.Cell):
    """Call a function of the runtime with tensors by position and constants by name."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__()
        self.function = function
        self.options = options

    def construct(self, a: Any, b: Any = None, c: Any = None, d: Any = None, e: Any = None) -> Any:
        if e is not None:
            return self.function(a, b, c, d, e, **self.options)
        if d is not None:
            return self.function(a, b, c, d, **self.options)
        if c is not None:
            return self.function(a, b, c, **self.options)
        if b is not None:
            return self.function(a, b, **self.options)
        return self.function(a, **self.options)


class WeightedSum(nn.Cell):
    """Reduce the output of a cell to a number that every element moves, and return both."""

    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, weight: Any, a: Any, b: Any = None, c: Any = None, d: Any = None) -> Any:
        if d is not None:
            output = self.cell(a, b, c, d)
        elif c is not None:
            output = self.cell(a, b, c)
        elif b is not None:
            output = self.cell(a, b)
        else:
            output = self.cell(a)
        return (output * weight).sum(), output


def set_mode(mode: str) -> None:
    """Select PYNATIVE_MODE, or GRAPH_MODE with a syntax level."""
    if mode == "pynative":
        ms.set_context(mode=ms.PYNATIVE_MODE)
        return
    level = ms.LAX if mode == "lax" else ms.STRICT
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=level)


def tensors(arrays: Arrays) -> list[Any]:
    """Turn numpy arrays into MindSpore tensors and leave the rest alone."""
    return [Tensor(a) if isinstance(a, np.ndarray) else a for a in arrays]


def prepare(cell: nn.Cell, mode: str, inputs: list[Any], static: tuple[int, ...] = ()) -> nn.Cell:
    """Set the mode; for "dynamic" leave the size of every axis but the static ones open."""
    set_mode(mode)
    cell.set_train(False)
    if mode == "dynamic":
        cell.set_inputs(*[_open(value, static) for value in inputs])
    return cell


def _open(value: Any, static: tuple[int, ...]) -> Any:
    if not isinstance(value, Tensor) or value.ndim == 0:
        return value
    kept = {axis % value.ndim for axis in static if -value.ndim <= axis < value.ndim}
    shape = [size if axis in kept else None for axis, size in enumerate(value.shape)]
    return Tensor(shape=shape, dtype=value.dtype)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every leaf of nested tuples and mappings with its place."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}")
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path, value


def to_torch(value: Tensor) -> torch.Tensor:
    """Return a torch tensor of the same dtype."""
    if value.dtype == ms.bfloat16:
        return torch.from_numpy(value.astype(ms.float32).asnumpy()).to(torch.bfloat16)
    return torch.from_numpy(np.array(value.asnumpy()))


def compare(
    found: Any, wanted: Any, message: str, tolerance: Mapping[str, float] | None = None
) -> None:
    """Compare structure, then dtype, shape and values of every leaf."""
    found_leaves, wanted_leaves = dict(leaves(found)), dict(leaves(wanted))
    assert found_leaves.keys() == wanted_leaves.keys(), message
    assert wanted_leaves, f"{message}: nothing to compare"
    for path, value in wanted_leaves.items():
        torch.testing.assert_close(
            to_torch(found_leaves[path]),
            value.detach(),
            equal_nan=True,
            msg=(f"{message}{path}: " + "{}").format,
            rtol=(tolerance or {}).get("rtol"),
            atol=(tolerance or {}).get("atol"),
        )


def check(
    make: Callable[[], nn.Cell],
    reference: Callable[..., Any],
    *arrays: Any,
    modes: tuple[str, ...] = MODES,
    static: tuple[int, ...] = (),
    gradient: bool = True,
    tolerance: Mapping[str, float] | None = None,
) -> None:
    """Compare a cell with torch in every mode, and the gradients of its floating-point inputs.

    LAX syntax runs alone, the other modes beside their gradient: compiling is what takes the time.

    `make` builds the cell anew for each mode; `reference` takes torch tensors. `static` names the
    axes whose sizes the dynamic mode is told.
    """
    given = [torch.from_numpy(a.copy()) if isinstance(a, np.ndarray) else a for a in arrays]
    positions = [
        i for i, a in enumerate(arrays) if isinstance(a, np.ndarray) and a.dtype.kind == "f"
    ]
    for position in positions:
        given[position].requires_grad_(gradient)
    wanted = reference(*given)
    weight = None
    if gradient:
        numbers = np.random.default_rng(7).standard_normal(tuple(wanted.shape))
        weight = numbers.astype(wanted.detach().numpy().dtype)
        (wanted * torch.from_numpy(weight)).sum().backward()
    for mode in modes:
        inputs = tensors(arrays)
        if weight is None or mode == "lax":
            compare(prepare(make(), mode, inputs, static)(*inputs), wanted, mode, tolerance)
            continue
        inputs = [Tensor(weight), *inputs]
        loss = prepare(WeightedSum(make()), mode, inputs, static)
        places = tuple(position + 1 for position in positions)
        (_, output), found = ms.value_and_grad(loss, places, has_aux=True)(*inputs)
        compare(output, wanted, f"{mode} beside the gradient", tolerance)
        found = found if isinstance(found, tuple) else (found,)
        slopes = [given[position].grad for position in positions]
        compare(found, slopes, f"{mode} gradient", tolerance)


def floats(*shape: int, seed: int = 0, dtype: str = "float32") -> np.ndarray[Any, Any]:
    """Return normally distributed numbers that depend on the shape and the seed alone."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)
