"""Solve, compare and reduce as torch does where MindSpore has no call for the CPU."""

# ruff: noqa: A002

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Tensor, ops

from .normalization import norm
from .reductions import sort, std, var


def equal(input: Tensor, other: Tensor) -> bool:
    """Tell whether two tensors have the same shape and the same elements."""
    if input.ndim != other.ndim:
        return False
    for axis in range(input.ndim):
        if input.shape[axis] != other.shape[axis]:
            return False
    return bool((input == other).all())


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Tell for each element whether it is equal to the other but for the two tolerances."""
    distance = ops.abs(input - other)
    near = ops.logical_and(distance <= atol + ops.abs(rtol * other), distance < float("inf"))
    close = ops.logical_or(input == other, near)
    if equal_nan:
        close = ops.logical_or(close, ops.logical_and(input != input, other != other))
    return close


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Tell whether all elements are equal but for the two tolerances."""
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


def round_decimals(input: Tensor, decimals: int) -> Tensor:
    """Round to digits behind the point, or before it for a negative number of them."""
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return ops.round(input * scale) / scale
    return ops.round(input / scale) * scale


def cast_floating(value: Tensor, dtype: ms.Type) -> Tensor:
    """Cast a tensor of floating-point numbers shorter than float64, and leave others."""
    if value.is_floating_point() and value.dtype != ms.float64:
        return value.astype(dtype)
    return value


def softmax_backward(grad_output: Tensor, output: Tensor, dim: int) -> Tensor:
    """Return the gradient by the input of a softmax along an axis."""
    weighted = grad_output * output
    return weighted - output * ops.sum(weighted, dim, keepdim=True)


def solve_triangular(
    input: Tensor, other: Tensor, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """Solve `input @ x = other`, or `x @ input = other` without `left`, row after row.

    Only the named triangle of the matrices is read. The graph grows with the known number of rows.
    """
    matrix = input if left else ops.swapaxes(input, -1, -2)
    known = other if left else ops.swapaxes(other, -1, -2)
    lower = upper != left
    size = matrix.shape[-1]
    rows: list[Tensor] = []
    for count in range(size):
        row = count if lower else size - 1 - count
        value = known[..., row : row + 1, :]
        if count > 0:
            first = 0 if lower else row + 1
            factors = matrix[..., row : row + 1, first : first + count]
            value = value - ops.matmul(factors, ops.cat(tuple(rows), axis=-2))
        if not unitriangular:
            value = value / matrix[..., row : row + 1, row : row + 1]
        rows = [*rows, value] if lower else [value, *rows]
    solved = ops.cat(tuple(rows), axis=-2)
    return solved if left else ops.swapaxes(solved, -1, -2)


def matrix_norm(
    input: Tensor,
    ord: str | float = "fro",
    dim: tuple[int, int] = (-2, -1),
    keepdim: bool = False,
) -> Tensor:
    """Return the Frobenius norm, or the largest or smallest sum of absolute values.

    1 and -1 sum columns, inf and -inf rows. Raises ValueError for the norms by singular values.
    """
    if ord == "fro":
        return ops.sqrt(ops.sum(input * input, dim, keepdim))
    if ord != 1 and ord != -1 and ord != float("inf") and ord != float("-inf"):
        raise ValueError("matrix_norm knows fro, 1, -1, inf and -inf")
    summed, kept = (dim[0], dim[1]) if ord == 1 or ord == -1 else (dim[1], dim[0])
    sums = ops.sum(ops.abs(input), summed, True)
    found = ops.amax(sums, kept, True) if ord > 0 else ops.amin(sums, kept, True)
    return found if keepdim else ops.sum(found, dim)


def linalg_norm(
    input: Tensor,
    ord: str | float | None = None,
    dim: int | tuple[int, ...] | None = None,
    keepdim: bool = False,
) -> Tensor:
    """Return the norm of vectors or, by an order over two axes, of matrices, as torch.linalg does.

    Raises ValueError for the norms by singular values.
    """
    axes = tuple(range(input.ndim)) if dim is None else dim
    if ord is None or isinstance(axes, int) or len(axes) == 1:
        return norm(input, 2.0 if ord is None else ord, axes, keepdim)
    return matrix_norm(input, ord, (axes[0], axes[1]), keepdim)


def std_mean(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    correction: int = 1,
    keepdim: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the standard deviation and the mean."""
    return std(input, dim, correction, keepdim), _mean(input, dim, keepdim)


def var_mean(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    correction: int = 1,
    keepdim: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the variance and the mean."""
    return var(input, dim, correction, keepdim), _mean(input, dim, keepdim)


def _mean(input: Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> Tensor:
    return ops.mean(input, tuple(range(input.ndim)) if dim is None else dim, keepdim)


def masked_mean(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    keepdim: bool = False,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the mean of the elements where the mask is true; nan where there are none."""
    axes = _axes(input, dim)
    kept = _kept(input, mask)
    total = ops.sum(ops.where(kept, input, ops.zeros_like(input)), axes, keepdim)
    return total / ops.sum(kept.astype(input.dtype), axes, keepdim)


def masked_var(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the variance of the elements where the mask is true."""
    axes = _axes(input, dim)
    kept = _kept(input, mask)
    centred = input - masked_mean(input, axes, True, mask)
    squares = ops.where(kept, centred * centred, ops.zeros_like(input))
    count = ops.sum(kept.astype(input.dtype), axes, keepdim)
    if unbiased is None or unbiased:
        count = ops.relu(count - 1)
    return ops.sum(squares, axes, keepdim) / count


def _axes(input: Tensor, dim: int | tuple[int, ...] | None) -> tuple[int, ...]:
    axes = tuple(range(input.ndim)) if dim is None else dim
    return (axes,) if isinstance(axes, int) else tuple(axes)


def _kept(input: Tensor, mask: Tensor | None) -> Tensor:
    """Return where elements count, in the shape of the input."""
    everywhere = ops.ones_like(input) > 0
    return everywhere if mask is None else ops.logical_and(everywhere, mask)


def nanmean(
    input: Tensor, dim: int | tuple[int, ...] | None = None, keepdim: bool = False
) -> Tensor:
    """Return the mean of the elements that are not nan; nan where there are none."""
    return masked_mean(input, dim, keepdim, input == input)


def tensordot(input: Tensor, other: Tensor, dims: int | tuple[Any, Any] = 2) -> Tensor:
    """Sum the products of two tensors over the last and the first axes, or over those named."""
    if isinstance(dims, int):
        first = tuple(range(input.ndim - dims, input.ndim))
        second = tuple(range(dims))
    else:
        first = tuple([axis % input.ndim for axis in dims[0]])
        second = tuple([axis % other.ndim for axis in dims[1]])
    rows = tuple([axis for axis in range(input.ndim) if axis not in first])
    columns = tuple([axis for axis in range(other.ndim) if axis not in second])
    left = ops.transpose(input, (*rows, *first)) if input.ndim > 1 else input
    right = ops.transpose(other, (*second, *columns)) if other.ndim > 1 else other
    row_shape = left.shape[: len(rows)]
    column_shape = right.shape[len(second) :]
    inner = 1
    for axis in first:
        inner = inner * input.shape[axis]
    left = ops.reshape(left, (-1, inner))
    right = ops.reshape(right, (inner, -1))
    return ops.reshape(ops.matmul(left, right), (*row_shape, *column_shape))


def quantile(input: Tensor, q: float, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the value below which a share of the elements lies, between two by their distance."""
    source = ops.reshape(input, (-1,)) if dim is None else input
    axis = 0 if dim is None else dim % input.ndim
    place = q * (source.shape[axis] - 1)
    below = int(place // 1)
    above = -int(-place // 1)
    values = sort(source, axis)[0]
    lower = _at(values, below, axis)
    result = lower + (place - below) * (_at(values, above, axis) - lower)
    result = ops.where(ops.any(source != source, axis, True), float("nan"), result)
    if not keepdim:
        return ops.squeeze(result, axis)
    return ops.reshape(result, (1,) * input.ndim) if dim is None else result


def addr(input: Tensor, vec1: Tensor, vec2: Tensor, beta: float = 1, alpha: float = 1) -> Tensor:
    """Return `beta` times the input plus `alpha` times the outer product of two vectors.

    With `beta` 0 the input does not count, whatever it holds. Of truth values it is "or" and "and".
    """
    if input.dtype == ms.bool_:
        outer = ops.logical_and(vec1.expand_dims(1), vec2)
        kept, added = ops.logical_and(input, bool(beta)), ops.logical_and(outer, bool(alpha))
        return ops.logical_or(kept, added)
    outer = vec1.expand_dims(1) * vec2
    if beta == 0:
        return alpha * outer
    return beta * input + alpha * outer


def _at(values: Tensor, place: int, axis: int) -> Tensor:
    """Return the slice at one place of an axis, which stays with length 1."""
    return ops.gather(values, ops.arange(place, place + 1), axis)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the k-th smallest values along an axis and their int64 indices."""
    axis = dim % input.ndim
    values, indices = sort(input, axis)
    value, index = _at(values, k - 1, axis), _at(indices, k - 1, axis)
    return (value, index) if keepdim else (ops.squeeze(value, axis), ops.squeeze(index, axis))
