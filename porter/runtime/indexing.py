"""Write, reduce and read elements at indices, as torch's functions of indices do."""

# ruff: noqa: A002

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops

from .shaping import pad


def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    """Return the input with the elements of `src` that go to a place reduced into it.

    `reduce` is sum, mean, prod, amax or amin. Memory grows with the axis of the input times that of
    the index. Of truth values the sum and the largest are "or", the product and the smallest "and".
    Raises ValueError where the index does not cover the other axes of the input.
    """
    for axis in range(input.ndim):
        if axis != dim % input.ndim and index.shape[axis] != input.shape[axis]:
            raise ValueError("the index of scatter_reduce covers all axes but one")
    own = ops.expand_dims(ops.swapaxes(input, dim, -1), -1)
    source = ops.swapaxes(ops.slice(src, (0,) * src.ndim, index.shape), dim, -1)
    places = ops.arange(0, input.shape[dim]).astype(index.dtype).expand_dims(-1)
    # [..., place, element of the source]: true where the element goes to the place.
    hits = ops.expand_dims(ops.swapaxes(index, dim, -1), -2) == places
    spread = ops.broadcast_to(ops.expand_dims(source, -2), hits.shape)
    kept = ops.ones_like(own) > 0
    if not include_self:
        kept = ops.logical_not(ops.any(hits, -1, True))
    values = ops.cat((own, spread), axis=-1)
    if input.dtype == ms.bool_:
        values = values.astype(ms.int32)
    used = ops.cat((kept, hits), axis=-1)
    reduced = _reduced(values, used, reduce)
    if reduce[:2] == "am" and values.is_floating_point():
        # The extremes of MindSpore pass over nan.
        undefined = ops.any(ops.logical_and(used, values != values), -1)
        reduced = ops.where(undefined, ops.full_like(reduced, float("nan")), reduced)
    return ops.swapaxes(reduced.astype(input.dtype), dim, -1)


def _reduced(values: Tensor, used: Tensor, reduce: str) -> Tensor:
    """Reduce the elements of the last axis that are used."""
    if reduce == "amax" or reduce == "amin":
        sign = 1 if reduce == "amax" else -1
        lowest = ops.amin(sign * values, -1, True)
        return sign * ops.amax(ops.where(used, sign * values, lowest), -1)
    if reduce == "prod":
        return ops.prod(ops.where(used, values, ops.ones_like(values)), -1)
    if reduce != "sum" and reduce != "mean":
        raise ValueError(f"reduce is sum, mean, prod, amax or amin, not {reduce!r}")
    total = ops.sum(ops.where(used, values, ops.zeros_like(values)), -1)
    if reduce == "sum":
        return total
    count = ops.sum(used.astype(ms.int32), -1).astype(values.dtype)
    if values.is_floating_point():
        return total / count
    return ops.floor_divide(total, count)


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Return the elements at indices along an axis; the other axes are broadcast.

    Without `dim`, of the flattened input at the flattened indices.
    """
    if dim is None:
        return ops.gather(ops.reshape(input, (-1,)), ops.reshape(indices, (-1,)), 0)
    axis = dim % input.ndim
    sizes = [
        size if place == axis or other == 1 else other
        for place, (size, other) in enumerate(zip(input.shape, indices.shape))  # noqa: B905
    ]
    where = [
        other if place == axis or size == 1 else size
        for place, (size, other) in enumerate(zip(input.shape, indices.shape))  # noqa: B905
    ]
    source = ops.broadcast_to(input, tuple(sizes))
    return ops.gather_elements(source, axis, ops.broadcast_to(indices, tuple(where)))


def index_put(
    input: Tensor, indices: tuple[Tensor, ...], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Return the input with `values` written, or added, where the whole-number indices point.

    Raises TypeError for a boolean index: write `ops.where` or `input[mask] = values`.
    """
    places = indices[0]
    for index in indices:
        if index.dtype == ms.bool_:
            raise TypeError("index_put takes indices that are whole numbers")
        places = places + ops.zeros_like(index)
    parts = tuple([ops.broadcast_to(index, places.shape) for index in indices])
    whole = ops.stack(parts, -1)
    updates = ops.broadcast_to(values, (*places.shape, *input.shape[len(indices) :]))
    if accumulate:
        return ops.tensor_scatter_add(input, whole, updates)
    return ops.tensor_scatter_update(input, whole, updates)


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Return the input with elements written, or added, at places of the flattened tensor."""
    flat = ops.reshape(input, (-1,))
    places = ops.reshape(index, (-1,))
    result = index_put(flat, (places,), ops.reshape(source, (-1,)), accumulate)
    return ops.reshape(result, input.shape)


def unravel_index(indices: Tensor, shape: tuple[int, ...]) -> tuple[Tensor, ...]:
    """Return the coordinates of places of a flattened tensor, one int64 tensor an axis."""
    rest = indices.astype(ms.int64)
    found: tuple[Tensor, ...] = ()
    for axis in range(len(shape) - 1, -1, -1):
        found = (rest % shape[axis], *found)
        rest = ops.floor_divide(rest, shape[axis])
    return found


def strides(input: Tensor) -> tuple[int, ...]:
    """Return the steps of a tensor that lies in memory in the order of its elements."""
    result: tuple[int, ...] = ()
    step = 1
    for axis in range(input.ndim - 1, -1, -1):
        result = (step, *result)
        step = step * input.shape[axis]
    return result


def as_strided(
    input: Tensor,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    storage_offset: int | None = None,
) -> Tensor:
    """Return the elements that lie at the steps of `stride` in a tensor without gaps."""
    first = 0 if storage_offset is None else storage_offset
    places = ops.full((1,), first, dtype=ms.int64)
    for axis in range(len(size)):
        steps = ops.arange(0, size[axis]).astype(ms.int64) * stride[axis]
        places = places.expand_dims(-1) + steps
    return ops.gather(ops.reshape(input, (-1,)), ops.reshape(places, tuple(size)), 0)


def pad_sequence(
    sequences: tuple[Tensor, ...],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Stack tensors of different lengths, filled up to the longest; lengths are known."""
    longest = 0
    for item in sequences:
        longest = max(longest, item.shape[0])
    rows = []
    for item in sequences:
        gap = longest - item.shape[0]
        pair = (0, gap) if padding_side == "right" else (gap, 0)
        rows.append(pad(item, (0, 0) * (item.ndim - 1) + pair, "constant", padding_value))
    return ops.stack(tuple(rows), 0 if batch_first else 1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | tuple[int, int],
    stride: int | tuple[int, int] | None = None,
    padding: int | tuple[int, int] = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    """Return zeros with the values of a pooling put back where its indices say."""
    kernel = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    step = kernel if stride is None else ((stride, stride) if isinstance(stride, int) else stride)
    border = (padding, padding) if isinstance(padding, int) else padding
    height = (input.shape[-2] - 1) * step[0] - 2 * border[0] + kernel[0]
    width = (input.shape[-1] - 1) * step[1] - 2 * border[1] + kernel[1]
    if output_size is not None:
        height, width = output_size[-2], output_size[-1]
    outer = input.shape[:-2]
    flat = ops.reshape(input, (*outer, -1))
    places = ops.reshape(indices, (*outer, -1))
    zeros = ops.zeros((*outer, height * width), dtype=input.dtype)
    result = ops.tensor_scatter_elements(zeros, places, flat, axis=len(outer))
    return ops.reshape(result, (*outer, height, width))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where a mask holds; both are expanded to one shape."""
    if tuple(input.shape) == tuple(mask.shape):
        return ops.masked_select(input, mask)
    whole = ops.zeros_like(input, dtype=ms.float32) + mask.astype(ms.float32)
    values = ops.broadcast_to(input, whole.shape)
    return ops.masked_select(values, ops.broadcast_to(mask, whole.shape))


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Return the input, in the shape of the mask, with elements replaced where that holds."""
    values = ops.broadcast_to(input, mask.shape) if mask.ndim > input.ndim else input
    return values.masked_scatter(mask, source)


def hits(vector: Tensor) -> Tensor:
    """Return [length] int32: 1 where a vector is not zero. A loop asks it for one place a turn.

    Raises ValueError for another number of axes: the rows of its places are no plain numbers.
    """
    if vector.ndim != 1:
        raise ValueError("only the places of a vector are counted by one number")
    # Truth values have no kernel that adds the gradients of the places, which are zero.
    return ops.stop_gradient((vector != 0).astype(ms.int32))


def _reached(src: Tensor, index: Tensor) -> Tensor:
    """Return the part of a source that an index reaches."""
    for axis in range(src.ndim):
        if src.shape[axis] != index.shape[axis]:
            src = ops.gather(src, ops.arange(0, index.shape[axis]), axis)
    return src


def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Return the input with elements of a source set at places of an axis."""
    return ops.tensor_scatter_elements(input, index, _reached(src, index), axis=dim)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add elements of a source at places of an axis; what the index does not reach stays out."""
    source = _reached(src, index)
    return ops.tensor_scatter_elements(input, index, source, axis=dim, reduction="add")


def scatter_of(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str) -> Tensor:
    """Return the input with elements of a source added or multiplied at places of an axis."""
    return scatter_reduce(input, dim, index, src, "sum" if reduce == "add" else "prod", True)


def scatter_value(
    input: Tensor, dim: int, index: Tensor, value: float, reduce: str | None = None
) -> Tensor:
    """Return the input with a number set, added or multiplied at places of an axis."""
    src = ops.full_like(index, value, dtype=input.dtype)
    if reduce is None:
        return ops.tensor_scatter_elements(input, index, src, axis=dim)
    return scatter_of(input, dim, index, src, reduce)


def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    """Return the input with slices of `source` reduced into those at `index` of an axis."""
    axis = dim % input.ndim
    shape = tuple([-1 if place == axis else 1 for place in range(input.ndim)])
    places = ops.broadcast_to(ops.reshape(index, shape), source.shape)
    return scatter_reduce(input, axis, places, source, reduce, include_self)
