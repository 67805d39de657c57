"""Add axes, join, split and turn tensors, and multiply them in blocks."""

# ruff: noqa: A002

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mindspore as ms
from mindspore import Tensor, mint, ops


def atleast_1d(input: Tensor) -> Tensor:
    """Return a tensor of one axis at least."""
    return ops.reshape(input, (1,)) if input.ndim == 0 else input


def atleast_2d(input: Tensor) -> Tensor:
    """Return a tensor of two axes at least; a vector becomes a row."""
    return ops.reshape(input, (1, -1)) if input.ndim < 2 else input


def atleast_3d(input: Tensor) -> Tensor:
    """Return a tensor of three axes at least; a matrix gets a last one."""
    if input.ndim < 2:
        return ops.reshape(input, (1, -1, 1))
    return input.expand_dims(-1) if input.ndim == 2 else input


def each_1d(tensors: Any = ()) -> tuple[Tensor, ...]:
    """Return `atleast_1d` of each of some tensors, or of a tuple of them."""
    return tuple([atleast_1d(tensor) for tensor in tensors])


def each_2d(tensors: Any = ()) -> tuple[Tensor, ...]:
    """Return `atleast_2d` of each of some tensors, or of a tuple of them."""
    return tuple([atleast_2d(tensor) for tensor in tensors])


def each_3d(tensors: Any = ()) -> tuple[Tensor, ...]:
    """Return `atleast_3d` of each of some tensors, or of a tuple of them."""
    return tuple([atleast_3d(tensor) for tensor in tensors])


def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Return vectors and matrices joined as columns."""
    columns = [ops.reshape(t, (-1, 1)) if t.ndim < 2 else t for t in tensors]
    return ops.cat(tuple(columns), axis=1)


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Return tensors joined along a third axis."""
    return ops.cat(each_3d(tensors), axis=2)


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return a matrix with a vector as its diagonal, or the diagonal of a matrix."""
    if input.ndim == 1:
        return ops.diag_embed(input, offset=diagonal)
    return ops.diagonal(input, offset=diagonal, dim1=0, dim2=1)


def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Return a tensor turned `k` times by a quarter, from the first axis towards the second."""
    first, second = dims[0], dims[1]
    turns = k % 4
    if turns == 0:
        return input
    if turns == 2:
        return ops.flip(input, (first, second))
    if turns == 1:
        return ops.swapaxes(ops.flip(input, (second,)), first, second)
    return ops.flip(ops.swapaxes(input, first, second), (second,))


def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """Return the input with one slice of an axis replaced."""
    place = index % input.shape[dim]
    parts = [ops.gather(input, ops.arange(0, place), dim)] if place else []
    parts = [*parts, src.expand_dims(dim).astype(input.dtype)]
    if place + 1 < input.shape[dim]:
        parts = [*parts, ops.gather(input, ops.arange(place + 1, input.shape[dim]), dim)]
    return ops.cat(tuple(parts), axis=dim)


def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """Return the input with every `step`-th slice of a part of an axis replaced."""
    places = list(range(input.shape[dim]))[start:end:step]
    result = input
    for position in range(len(places)):
        result = select_scatter(
            result,
            ops.gather(src, ops.arange(position, position + 1), dim).squeeze(dim),
            dim,
            places[position],
        )
    return result


def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:  # noqa: N803
    """Return the powers of each element along a new last axis, the highest first or increasing."""
    x = atleast_1d(x)
    count = x.shape[-1] if N is None else N
    value = x if x.is_floating_point() else x.astype(ms.int64)
    powers = [ops.ones_like(value)]
    for _ in range(count - 1):
        powers = [*powers, powers[-1] * value]
    if not increasing:
        powers = powers[::-1]
    return ops.stack(tuple(powers), -1)


def chain_matmul(matrices: Sequence[Tensor]) -> Tensor:
    """Return the product of matrices, from left to right."""
    result = matrices[0]
    for matrix in matrices[1:]:
        result = ops.matmul(result, matrix)
    return result


def inner(input: Tensor, other: Tensor) -> Tensor:
    """Return the products of two tensors summed over their last axes."""
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    left = ops.reshape(input, (-1, input.shape[-1]))
    right = ops.reshape(other, (-1, other.shape[-1]))
    product = ops.matmul(left, ops.swapaxes(right, 0, 1))
    return ops.reshape(product, (*input.shape[:-1], *other.shape[:-1]))


def kron(input: Tensor, other: Tensor) -> Tensor:
    """Return the other tensor in blocks, one for each element of the input and times it."""
    rank = max(input.ndim, other.ndim)
    left = (1,) * (rank - input.ndim) + tuple(input.shape)
    right = (1,) * (rank - other.ndim) + tuple(other.shape)
    wide: tuple[int, ...] = ()
    narrow: tuple[int, ...] = ()
    for axis in range(rank):
        wide = (*wide, left[axis], 1)
        narrow = (*narrow, 1, right[axis])
    product = ops.reshape(input, wide) * ops.reshape(other, narrow)
    return ops.reshape(product, tuple([left[i] * right[i] for i in range(rank)]))


def broadcast_shapes(shapes: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape that tensors of some shapes are broadcast to."""
    sizes = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    rank = max([len(shape) for shape in sizes])
    padded = [(1,) * (rank - len(shape)) + shape for shape in sizes]
    result: list[int] = []
    for axis in range(rank):
        wide = [shape[axis] for shape in padded if shape[axis] != 1]
        result = [*result, wide[0] if wide else 1]
    return tuple(result)


def vecdot(x: Tensor, y: Tensor, dim: int = -1) -> Tensor:
    """Return the products of two tensors summed over one axis."""
    return ops.sum(x * y, dim)


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Return the vector product along an axis of length 3, the first one unless `dim` is given.

    The kernel leaves zeros where it is to spread an input over the other.
    """
    shape = broadcast_shapes((input.shape, other.shape))
    return mint.cross(ops.broadcast_to(input, shape), ops.broadcast_to(other, shape), dim=dim)
