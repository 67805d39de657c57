"""Split a cell's weight into a length and a direction, as torch's weight_norm does."""

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

from mindspore import Parameter, Tensor, nn, ops

# These hold a weight [out, in, length] of torch with an axis of 1 before the length.
_LINES = (nn.Conv1d, nn.Conv1dTranspose)


class _Parts(nn.Cell):
    """Hold the length and the direction under the names of torch's parametrization."""

    def __init__(self, length: Tensor, direction: Tensor) -> None:
        super().__init__()
        self.original0 = Parameter(length)
        self.original1 = Parameter(direction)


class _Parametrizations(nn.Cell):
    def __init__(self, parts: _Parts) -> None:
        super().__init__()
        self.weight = parts


def weight_norm(module: nn.Cell, name: str = "weight", dim: int | None = 0) -> nn.Cell:
    """Make the weight of a cell the product of parameters `parametrizations.weight.original0/1`.

    The cell keeps its class but for a `weight` that is computed. Raises ValueError for another
    name than weight.
    """
    direction = _taken(module, name)
    length = _norm(direction, dim)
    module.parametrizations = _Parametrizations(_Parts(length, direction))
    return _computing(module, dim, _parametrized)


def weight_norm_pair(module: nn.Cell, name: str = "weight", dim: int | None = 0) -> nn.Cell:
    """Make the weight of a cell the product of parameters `weight_g` and `weight_v`."""
    direction = _taken(module, name)
    module.weight_g = Parameter(_norm(direction, dim))
    module.weight_v = Parameter(direction)
    return _computing(module, dim, _paired)


def remove_weight_norm(module: nn.Cell, name: str = "weight") -> nn.Cell:
    """Make the weight of a cell a parameter again, with the value it has."""
    if not hasattr(type(module), "_weight_norm_base"):
        raise ValueError(f"the {name} of {type(module).__name__} has no weight_norm")
    value = module.weight.copy()
    for own in ("weight_g", "weight_v"):
        module._params.pop(own, None)
    module._cells.pop("parametrizations", None)
    module.__class__ = type(module)._weight_norm_base
    module.weight = Parameter(value)
    return module


def _taken(module: nn.Cell, name: str) -> Tensor:
    """Remove the weight of a cell and return its values in torch's layout."""
    if name != "weight" or not isinstance(module._params.get("weight"), Parameter):
        raise ValueError(f"weight_norm is for a parameter called weight, not {name!r}")
    weight = module._params.pop("weight")
    value = weight.copy()
    return ops.squeeze(value, 2) if isinstance(module, _LINES) else value


def _norm(weight: Tensor, dim: int | None) -> Tensor:
    """Return the 2-norm over all axes but one."""
    if dim is None or dim == -1:
        return ops.sqrt(ops.sum(weight * weight))
    axes = tuple([axis for axis in range(weight.ndim) if axis != dim % weight.ndim])
    return ops.sqrt(ops.sum(weight * weight, axes, True))


def _computing(module: nn.Cell, dim: int | None, weight: Any) -> nn.Cell:
    """Give a cell a class of its own, whose weight is computed where it is read."""
    base = type(module)
    module.weight_norm_dim = dim
    module.weight_norm_line = isinstance(module, _LINES)
    members = {"weight": property(weight), "_weight_norm_base": base}
    module.__class__ = type(base.__name__, (base,), members)
    return module


def _parametrized(self: Any) -> Tensor:
    parts = self.parametrizations.weight
    return _product(parts.original0, parts.original1, self.weight_norm_dim, self.weight_norm_line)


def _paired(self: Any) -> Tensor:
    return _product(self.weight_g, self.weight_v, self.weight_norm_dim, self.weight_norm_line)


def _product(length: Tensor, direction: Tensor, dim: int | None, line: bool) -> Tensor:
    weight = direction * (length / _norm(direction, dim))
    return ops.expand_dims(weight, 2) if line else weight
