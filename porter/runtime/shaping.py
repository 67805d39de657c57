"""Rearrange, pad and index tensors where MindSpore has no kernel or another spelling."""

# ruff: noqa: A002

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Tensor, ops


def clone(input: Tensor) -> Tensor:
    """Return a copy of the same dtype."""
    if input.dtype == ms.bool_:
        return ops.logical_or(input, input)
    return input * ops.ones_like(input)


def squeeze(input: Tensor, dim: int | tuple[int, ...]) -> Tensor:
    """Remove the named axes of length 1, and leave those of another length."""
    axes = (dim,) if isinstance(dim, int) else tuple(dim)
    removed = [axis % input.ndim for axis in axes]
    kept = [n for axis, n in enumerate(input.shape) if axis not in removed or n != 1]
    return ops.reshape(input, tuple(kept))


def unflatten(input: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    """Split an axis into several; one of the sizes may be -1."""
    axis = dim % input.ndim
    return ops.reshape(input, (*input.shape[:axis], *sizes, *input.shape[axis + 1 :]))


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return the tensors expanded to one shape."""
    total = tensors[0]
    whole = ops.zeros_like(total, dtype=ms.float32)
    for tensor in tensors[1:]:
        whole = whole + ops.zeros_like(tensor, dtype=ms.float32)
    return tuple([ops.broadcast_to(tensor, whole.shape) for tensor in tensors])


def repeat_interleave(input: Tensor, repeats: int, dim: int | None = None) -> Tensor:
    """Repeat each element along an axis, of the flattened tensor without `dim`.

    Raises TypeError for repeats given as a tensor: the shape would depend on the values.
    """
    if not isinstance(repeats, int):
        raise TypeError("repeat_interleave takes a number of repeats inside the graph")
    source = ops.reshape(input, (-1,)) if dim is None else input
    axis = 0 if dim is None else dim % input.ndim
    repeated = ops.stack((source,) * repeats, axis + 1)
    return ops.reshape(repeated, (*source.shape[:axis], -1, *source.shape[axis + 1 :]))


def repeat_each(input: Tensor, repeats: Tensor, dim: int | None = None) -> Tensor:
    """Repeat each slice of an axis as often as a tensor says; the length depends on the data."""
    source = ops.reshape(input, (-1,)) if dim is None else input
    axis = 0 if dim is None else dim
    counts = ops.broadcast_to(repeats, (source.shape[axis],))
    ends = ops.cumsum(counts.astype(ms.int64), 0)
    places = ops.arange(0, int(ends[-1]))
    index = ops.sum((ops.reshape(places, (-1, 1)) >= ends).astype(ms.int64), 1)
    return ops.gather(source, index, axis)


def roll(
    input: Tensor, shifts: int | tuple[int, ...], dims: int | tuple[int, ...] | None = None
) -> Tensor:
    """Shift the elements along axes, of the flattened tensor without `dims`, and wrap them."""
    # Not by calling itself: a function that does so is not compiled with its constants.
    result = ops.reshape(input, (-1,)) if dims is None else input
    where = 0 if dims is None else dims
    axes = (where,) if isinstance(where, int) else tuple(where)
    steps = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    for position in range(len(axes)):
        length = result.shape[axes[position]]
        index = (ops.arange(0, length) - steps[position]) % length
        result = ops.gather(result, index, axes[position])
    return ops.reshape(result, input.shape)


def unfold_dimension(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Return windows of an axis: their number in its place, their elements as the last axis."""
    axis = dimension % input.ndim
    count = (input.shape[axis] - size) // step + 1
    index = ops.arange(0, count).expand_dims(1) * step + ops.arange(0, size)
    windows = ops.gather(input, index, axis)
    order = [position for position in range(input.ndim + 1) if position != axis + 1]
    return ops.transpose(windows, (*order, axis + 1))


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Return the input with the slices at `index` of an axis replaced by those of `source`."""
    moved = ops.swapaxes(input, 0, dim)
    updates = ops.swapaxes(source, 0, dim)
    return ops.swapaxes(ops.tensor_scatter_update(moved, index.expand_dims(-1), updates), 0, dim)


def nonzero_tuple(input: Tensor) -> tuple[Tensor, ...]:
    """Return the indices of what is not zero, one int64 tensor an axis; a scalar has one axis."""
    whole = ops.reshape(input, (1,)) if input.ndim == 0 else input
    places = ops.nonzero(whole)
    return tuple([places[:, axis] for axis in range(whole.ndim)])


def pad(
    input: Tensor, pad: tuple[int, ...], mode: str = "constant", value: float | None = None
) -> Tensor:
    """Pad the last axes by pairs (before, after), the last axis first; negative pairs crop.

    `mode` is constant, reflect, replicate or circular. The padded axes have sizes known when
    compiling, unless the mode is constant.
    """
    result = input
    for position in range(len(pad) // 2):
        axis = input.ndim - 1 - position
        before, after = pad[2 * position], pad[2 * position + 1]
        if mode == "constant":
            result = _pad_constant(result, axis, before, after, 0.0 if value is None else value)
        else:
            length = result.shape[axis]
            start = 0
            if mode == "circular":
                # torch crops first, and repeats what is left.
                start, length = max(-before, 0), length + min(before, 0) + min(after, 0)
                before, after = max(before, 0), max(after, 0)
            index = ops.arange(-before, length + after)
            result = ops.gather(result, start + _border(mode, index, length), axis)
    return result


def _pad_constant(input: Tensor, axis: int, before: int, after: int, value: float) -> Tensor:
    start = -before if before < 0 else 0
    stop = input.shape[axis] + (after if after < 0 else 0)
    parts = [ops.gather(input, ops.arange(start, stop), axis)] if start or after < 0 else [input]
    if before > 0:
        parts = [_constant(input, axis, before, value), *parts]
    if after > 0:
        parts = [*parts, _constant(input, axis, after, value)]
    return parts[0] if len(parts) == 1 else ops.cat(tuple(parts), axis=axis)


def _constant(input: Tensor, axis: int, length: int, value: float) -> Tensor:
    shape = (*input.shape[:axis], length, *input.shape[axis + 1 :])
    return ops.full(shape, value, dtype=input.dtype)


def _border(mode: str, index: Tensor, length: int) -> Tensor:
    """Return where each position outside [0, length) takes its value from."""
    if mode == "circular":
        return index % length
    if mode == "replicate":
        return ops.clamp(index, 0, length - 1)
    if mode == "reflect":
        inside = ops.abs(index)
        return (length - 1) - ops.abs((length - 1) - inside)
    raise ValueError(f"mode is constant, reflect, replicate or circular, not {mode!r}")


def slice_logits_to_keep(hidden_states: Tensor, logits_to_keep: int) -> Tensor:
    """Return the last positions of [batch, position, hidden], or all for 0.

    Raises TypeError for positions given as a tensor.
    """
    if not isinstance(logits_to_keep, int):
        raise TypeError("logits_to_keep is a number of positions")
    return hidden_states if logits_to_keep == 0 else hidden_states[:, -logits_to_keep:]


def product(values: Any) -> int:
    """Return the product of the lengths of a shape, known or not, or of one number."""
    if isinstance(values, int):
        return values
    result = 1
    for value in values:
        result = result * value
    return result
