"""Set parameters of cells that were made without them, and freeze those that there are."""

from __future__ import annotations

from mindspore import Parameter, Tensor, nn, ops


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
