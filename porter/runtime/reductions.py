"""Reduce, scan and sort along axes with the results and dtypes of torch."""

# ruff: noqa: A002

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops


def var(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    correction: int = 1,
    keepdim: bool = False,
) -> Tensor:
    """Return the variance, the sum of squares divided by the count less `correction`."""
    # The mean of a scalar over no axis is what the memory held.
    values = ops.reshape(input, (-1,)) if dim is None and not keepdim else input
    axes = tuple(range(values.ndim)) if dim is None else dim
    axes = (axes,) if isinstance(axes, int) else tuple(axes)
    centred = values - ops.mean(values, axes, True)
    count = 1
    for axis in axes:
        count = count * values.shape[axis]
    return ops.sum(centred * centred, axes, keepdim) / (count - correction)


def std(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    correction: int = 1,
    keepdim: bool = False,
) -> Tensor:
    """Return the square root of the variance."""
    return ops.sqrt(var(input, dim, correction, keepdim))


def cumsum(input: Tensor, dim: int, dtype: ms.Type | None = None) -> Tensor:
    """Return the running sum; booleans and integers give int64 unless a dtype is asked for."""
    if dtype is None:
        dtype = input.dtype if input.is_floating_point() else ms.int64
    if input.ndim == 0:
        return input.astype(dtype)
    return ops.cumsum(input.astype(dtype), dim)


def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running minimum and its int64 indices."""
    values, indices = ops.cummin(input, dim)
    return values, indices.astype(ms.int64)


def max_along(input: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the maxima along an axis and their int64 indices."""
    values, indices = ops.max(input, dim, keepdims=keepdim)
    return values, indices.astype(ms.int64)


def min_along(input: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the minima along an axis and their int64 indices."""
    values, indices = ops.min(input, dim, keepdims=keepdim)
    return values, indices.astype(ms.int64)


def sort(input: Tensor, dim: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """Return the values in order along an axis and their int64 indices."""
    if input.ndim == 0:
        return input, ops.zeros((), ms.int64)
    # There is no kernel for truth values.
    source = input.astype(ms.int8) if input.dtype == ms.bool_ else input
    values, indices = ops.sort(source, dim, descending)
    return values.astype(input.dtype), indices.astype(ms.int64)


def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the k largest or smallest values along an axis and their int64 indices."""
    values, indices = ops.topk(input, k, dim, largest, sorted)
    return values, indices.astype(ms.int64)


def unique(input: Tensor) -> Tensor:
    """Return the different values of all elements in ascending order, as many as there are."""
    source = input.astype(ms.int32) if input.dtype == ms.bool_ else input
    return ops.unique(ops.sort(ops.reshape(source, (-1,)))[0])[0].astype(input.dtype)


def unique_parts(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor, ...]:
    """Return `unique`, where each element is in it, and how often each of its values is there."""
    values = unique(input)
    same = ops.reshape(input, (-1, 1)) == values
    parts: tuple[Tensor, ...] = (values,)
    if return_inverse:
        places = same.astype(ms.int32).argmax(-1).astype(ms.int64)
        parts = (*parts, ops.reshape(places, input.shape))
    if return_counts:
        parts = (*parts, ops.sum(same.astype(ms.int64), 0))
    return parts
