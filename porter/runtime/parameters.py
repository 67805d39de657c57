"""Set parameters of cells, freeze them, and say of which dtype they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from .inplace import update


def only_float32(dtype: Any) -> None:
    """Raise ValueError where a layer is to be made of another dtype than float32."""
    if dtype not in (None, ms.float32):
        raise ValueError(f"layers are made in float32, not in {dtype}")


_OWN_NAMES = {
    "weight": ("embedding_table", "gamma"),
    "bias": ("beta",),
    "running_mean": ("moving_mean",),
    "running_var": ("moving_variance",),
}


def remove(cell: nn.Cell, name: str) -> None:
    """Set an attribute to None; a Cell that holds a Parameter as None cannot be compiled."""
    if name in cell._params:
        del cell._params[name]
    object.__setattr__(cell, name, None)


MOVING = ("moving_mean", "moving_variance")
"""Last names of what a normalisation counts up: parameters of MindSpore, buffers of torch."""


def named_parameters_of(
    cell: nn.Cell, prefix: str = "", recurse: bool = True
) -> Iterator[tuple[str, Parameter]]:
    """Yield the parameters of a cell that are parameters in torch, too, with their names."""
    for name, parameter in cell.parameters_and_names(name_prefix=prefix, expand=recurse):
        if name.rpartition(".")[2] not in MOVING:
            yield name, parameter


def parameters_of(cell: nn.Cell, recurse: bool = True) -> Iterator[Parameter]:
    """Yield the parameters of a cell that are parameters in torch, too."""
    for _, parameter in named_parameters_of(cell, "", recurse):
        yield parameter


def named_in_torch(cell: nn.Cell, name: str) -> Any:
    """Return what torch calls by a name: the Cells of some layers call it otherwise.

    Raises AttributeError where the Cell has nothing of the kind.
    """
    for own in (*_OWN_NAMES.get(name, ()), name):
        if isinstance(getattr(cell, own, None), Parameter):
            return getattr(cell, own)
    return getattr(cell, name)


def set_bias(cell: nn.Dense, value: Tensor) -> None:
    """Give a Dense made with `has_bias=False` a bias, which it adds from then on.

    The name follows the weight's: a parameter set on an inner cell does not get the names of the
    cells around it.
    """
    cell.bias = Parameter(value, name=cell.weight.name.removesuffix("weight") + "bias")
    cell.bias_add = ops.BiasAdd()
    cell.has_bias = True


def set_shift(cell: nn.Cell, value: Tensor | None) -> None:
    """Give a normalization another bias, or take it away: what is added then is 0 for good."""
    if value is not None:
        cell.beta.set_data(value)
        return
    shape, dtype = cell.beta.shape, cell.beta.dtype
    del cell._params["beta"]
    object.__setattr__(cell, "beta", ops.zeros(shape, dtype))


def set_requires_grad(source: nn.Cell | Parameter, requires_grad: bool = True) -> Any:
    """Freeze the parameters of a cell, or one, or have them trained; returns what was given."""
    for parameter in [source] if isinstance(source, Parameter) else parameters_of(source):
        parameter.requires_grad = requires_grad
    return source


def copied_weights(cell: nn.Cell) -> list[Tensor]:
    """Return a copy of each parameter of a cell, in order."""
    return [parameter.copy() for parameter in cell.get_parameters()]


def set_weights(cell: nn.Cell, weights: list[Tensor]) -> None:
    """Give the parameters of a cell other values, in order."""
    for parameter, value in zip(cell.get_parameters(), weights, strict=True):
        update(parameter, value)


def copy_weights(cell: nn.Cell, source: nn.Cell) -> None:
    """Give the parameters of a cell the values of those of one that is built alike."""
    set_weights(cell, list(source.get_parameters()))
