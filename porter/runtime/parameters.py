"""Set parameters of cells, freeze them, and say of which dtype they are."""

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


def only_float32(dtype: Any) -> None:
    """Raise ValueError where a layer is to be made of another dtype than float32."""
    if dtype not in (None, ms.float32):
        raise ValueError(f"layers are made in float32, not in {dtype}")


def remove(cell: nn.Cell, name: str) -> None:
    """Set an attribute to None; a Cell that holds a Parameter as None cannot be compiled."""
    if name in cell._params:
        del cell._params[name]
    object.__setattr__(cell, name, None)


def set_bias(cell: nn.Dense, value: Tensor) -> None:
    """Give a Dense made with `has_bias=False` a bias, which it adds from then on.

    The name follows the weight's: a parameter set on an inner cell does not get the names of the
    cells around it.
    """
    cell.bias = Parameter(value, name=cell.weight.name.removesuffix("weight") + "bias")
    cell.bias_add = ops.BiasAdd()
    cell.has_bias = True


def set_requires_grad(cell: nn.Cell, requires_grad: bool = True) -> nn.Cell:
    """Freeze the parameters of a cell, or have them trained; returns the cell."""
    for parameter in cell.get_parameters():
        parameter.requires_grad = requires_grad
    return cell
