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
    # `ops.clamp` drops what is not a number: rows that are constant have none.
    return ops.where(scaled == scaled, ops.clamp(scaled, -1.0, 1.0), scaled)


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


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the smallest of the most frequent values along an axis, and its last int64 place."""
    values = ops.swapaxes(input, dim, -1)
    equal = values.expand_dims(-1) == values.expand_dims(-2)
    counts = ops.sum(equal.astype(ms.int32), -1)
    often = counts == ops.amax(counts, -1, True)
    ordered, _ = ops.sort(values, -1)
    largest = ordered[..., -1:]
    found = ops.sort(ops.where(often, values, largest), -1)[0][..., :1]
    places = ops.arange(0, values.shape[-1]).astype(ms.int64)
    here = ops.where(values == found, places, -ops.ones_like(places))
    place = ops.sort(here, -1)[0][..., -1:]
    result, index = ops.swapaxes(found, dim, -1), ops.swapaxes(place, dim, -1)
    return (result, index) if keepdim else (ops.squeeze(result, dim), ops.squeeze(index, dim))


def histogram(
    input: Tensor,
    bins: int,
    range: tuple[float, float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return how many elements lie in bins of one width, and the edges of the bins."""
    flat = ops.reshape(input, (-1,))
    low = flat.min() if range is None else ops.full_like(flat[0], range[0])
    high = flat.max() if range is None else ops.full_like(flat[0], range[1])
    if range is None:
        half = (high == low).astype(input.dtype) / 2
        low, high = low - half, high + half
    steps = ops.arange(0, bins + 1).astype(input.dtype) / bins
    edges = low + (high - low) * steps
    return histogram_of_edges(input, edges, weight, density)


def histogram_of_edges(
    input: Tensor, bins: Tensor, weight: Tensor | None = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """Return how many elements lie between neighbouring edges, and the edges."""
    flat = ops.reshape(input, (-1, 1))
    inside = ops.logical_and(flat >= bins[:-1], flat < bins[1:])
    last = ops.logical_and(flat == bins[-1:], ops.arange(0, bins.shape[0] - 1) == bins.shape[0] - 2)
    hits = ops.logical_or(inside, last).astype(input.dtype)
    if weight is not None:
        hits = hits * ops.reshape(weight, (-1, 1))
    counts = ops.sum(hits, 0)
    if density:
        counts = counts / ops.sum(counts) / (bins[1:] - bins[:-1])
    return counts, bins


def weighted_count(input: Tensor, weights: Tensor, minlength: int = 0) -> Tensor:
    """Return the sum of the weights of each number from 0 to the largest; float64 of others."""
    length = max(int(input.max()) + 1, minlength)
    values = weights if weights.dtype == ms.float32 else weights.astype(ms.float64)
    places = ops.reshape(input, (-1, 1)) == ops.arange(0, length).astype(input.dtype)
    return ops.sum(places.astype(values.dtype) * ops.reshape(values, (-1, 1)), 0)


def nanquantile(input: Tensor, q: float, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the value below which a share of the elements lies that are not nan."""
    source = ops.reshape(input, (-1,)) if dim is None else ops.swapaxes(input, dim, -1)
    known = source == source
    count = ops.sum(known.astype(ms.int64), -1, True)
    filled = ops.where(known, source, ops.full_like(source, float("inf")))
    values = ops.sort(filled, -1)[0]
    place = q * (ops.relu(count - 1)).astype(input.dtype)
    below = ops.floor(place).astype(ms.int64)
    above = ops.ceil(place).astype(ms.int64)
    lower = ops.gather_elements(values, source.ndim - 1, below)
    upper = ops.gather_elements(values, source.ndim - 1, above)
    share = place - below.astype(input.dtype)
    result = ops.where(below == above, lower, lower + share * (upper - lower))
    result = ops.where(count > 0, result, ops.full_like(result, float("nan")))
    if dim is None:
        return ops.reshape(result, (1,) * input.ndim if keepdim else ())
    result = ops.swapaxes(result, dim, -1)
    return result if keepdim else ops.squeeze(result, dim)


def gradient(
    input: Tensor,
    spacing: float = 1.0,
    dim: int | tuple[int, ...] | None = None,
    edge_order: int = 1,
) -> tuple[Tensor, ...]:
    """Return the slopes along each axis: central inside, one-sided at both ends."""
    value = input if input.is_floating_point() else input.astype(ms.float32)
    axes = tuple(range(input.ndim)) if dim is None else dim
    axes = (axes,) if isinstance(axes, int) else axes
    return tuple([_slope(value, spacing, axis, edge_order) for axis in axes])


def _slope(value: Tensor, spacing: float, axis: int, edge_order: int) -> Tensor:
    moved = ops.swapaxes(value, axis, -1)
    inside = (moved[..., 2:] - moved[..., :-2]) / 2
    first = moved[..., 1:2] - moved[..., :1]
    last = moved[..., -1:] - moved[..., -2:-1]
    if edge_order == 2:
        first = 2 * moved[..., 1:2] - 1.5 * moved[..., :1] - 0.5 * moved[..., 2:3]
        last = 1.5 * moved[..., -1:] - 2 * moved[..., -2:-1] + 0.5 * moved[..., -3:-2]
    return ops.swapaxes(ops.cat((first, inside, last), -1) / spacing, axis, -1)
