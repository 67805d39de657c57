"""Compute correlations, areas below curves and the median."""

# ruff: noqa: A002

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops


def corrcoef(input: Tensor) -> Tensor:
    """Return the correlation of the rows of a matrix; of one row the number 1."""
    value = input if input.is_floating_point() else input.astype(ms.float32)
    covariance = ops.cov(value)
    if value.ndim < 2:
        return covariance / covariance
    spread = ops.sqrt(ops.diagonal(covariance))
    scaled = covariance / spread.expand_dims(1) / spread.expand_dims(0)
    return ops.clamp(scaled, -1.0, 1.0)


def _parts(y: Tensor, x: Tensor | None, dx: float, dim: int) -> Tensor:
    """Return the area between neighbours along an axis, which is moved to the end."""
    axis = dim % y.ndim
    value = y if y.is_floating_point() else y.astype(ms.float32)
    value = ops.swapaxes(value, axis, -1)
    mean = (value[..., 1:] + value[..., :-1]) * 0.5
    if x is None:
        return mean * dx
    place = x if x.ndim == 1 else ops.swapaxes(x, axis, -1)
    return mean * (place[..., 1:] - place[..., :-1])


def trapezoid(y: Tensor, x: Tensor | None = None, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Return the area below points along an axis, by straight lines between them."""
    return ops.sum(ops.swapaxes(_parts(y, x, dx, dim), dim % y.ndim, -1), dim % y.ndim)


def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, dx: float = 1.0, dim: int = -1
) -> Tensor:
    """Return the running area below points along an axis."""
    return ops.swapaxes(ops.cumsum(_parts(y, x, dx, dim), -1), dim % y.ndim, -1)


def median(input: Tensor) -> Tensor:
    """Return the lower of the two middle values of all; NaN where there is one."""
    flat = ops.reshape(input, (-1,))
    middle = ops.sort(flat, axis=0)[0][(flat.shape[0] - 1) // 2]
    if not input.is_floating_point():
        return middle
    lost = ops.isnan(flat).any()
    return ops.where(lost, ops.full_like(middle, float("nan")), middle)


def range_through(start: float, end: float | None = None, step: float = 1) -> Tensor:
    """Return float32 numbers from start to end, which belongs to them."""
    first, last = (0, start) if end is None else (start, end)
    count = int((last - first) / step) + 1
    return ops.arange(0, count).astype(ms.float32) * step + first
