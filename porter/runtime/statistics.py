"""Compute covariances, areas below curves and the median."""

# ruff: noqa: A002

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops


def cov(input: Tensor, correction: int = 1) -> Tensor:
    """Return the covariances of the rows; of a vector, its variance as a scalar."""
    rows = ops.reshape(input, (1, -1)) if input.ndim == 1 else input
    centred = rows - ops.mean(rows, 1, True)
    result = ops.matmul(centred, ops.swapaxes(centred, 0, 1)) / (rows.shape[1] - correction)
    return ops.reshape(result, ()) if input.ndim == 1 else result


def corrcoef(input: Tensor) -> Tensor:
    """Return the correlations of the rows of a matrix."""
    covariance = cov(input)
    spread = ops.sqrt(ops.diagonal(covariance, offset=0, dim1=0, dim2=1))
    return covariance / spread.expand_dims(1) / spread


def _areas(y: Tensor, x: Tensor | None, dx: float | None, dim: int) -> Tensor:
    """Return the areas of the strips along the last axis, to which `dim` is moved."""
    values = ops.swapaxes(y, dim, -1)
    heights = (values[..., 1:] + values[..., :-1]) * 0.5
    if x is None:
        return heights * (1.0 if dx is None else dx)
    places = x if x.ndim == 1 else ops.swapaxes(x, dim, -1)
    return heights * (places[..., 1:] - places[..., :-1])


def trapezoid(y: Tensor, x: Tensor | None = None, dx: float | None = None, dim: int = -1) -> Tensor:
    """Return the area below a curve along an axis."""
    result = ops.sum(_areas(y, x, dx, dim), -1, True)
    return ops.swapaxes(result, dim, -1).squeeze(dim)


def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, dx: float | None = None, dim: int = -1
) -> Tensor:
    """Return the running area below a curve along an axis, which gets shorter by one."""
    return ops.swapaxes(ops.cumsum(_areas(y, x, dx, dim), -1), dim, -1)


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
