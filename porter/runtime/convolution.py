"""Compute torch's convolutions, pooling of lines, folding and bilinear forms."""

# ruff: noqa: A002

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Tensor, ops

from .shaping import pad


def on_both_sides(padding: tuple[int, ...]) -> tuple[int, ...]:
    """Return the padding before and behind each axis, which torch gives as one number an axis."""
    result: tuple[int, ...] = ()
    for size in padding:
        result = (*result, size, size)
    return result


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int] = 1,
    padding: int | str | tuple[int] = 0,
    dilation: int | tuple[int] = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve [batch, in, length] with [out, in / groups, length]."""
    padded = _padded(input, padding, weight.shape[2:], each_axis(dilation, 1))
    return ops.conv1d(padded, weight, bias, _first(stride), "valid", 0, _first(dilation), groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int, int] = 1,
    padding: int | str | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve [batch, in, height, width] with [out, in / groups, height, width]."""
    padded = _padded(input, padding, weight.shape[2:], each_axis(dilation, 2))
    steps, spread = each_axis(stride, 2), each_axis(dilation, 2)
    return ops.conv2d(padded, weight, bias, steps, "valid", 0, spread, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int, int, int] = 1,
    padding: int | str | tuple[int, int, int] = 0,
    dilation: int | tuple[int, int, int] = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve [batch, in, depth, height, width] with [out, in / groups, ...]."""
    padded = _padded(input, padding, weight.shape[2:], each_axis(dilation, 3))
    steps, spread = each_axis(stride, 3), each_axis(dilation, 3)
    return ops.conv3d(padded, weight, bias, steps, "valid", 0, spread, groups)


def padding_pairs(
    padding: Any, kernel: tuple[int, ...], dilation: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the padding of a convolution as pairs (before, after), the last axis first."""
    pairs: tuple[int, ...] = ()
    for position in range(len(kernel) - 1, -1, -1):
        if padding == "valid":
            pairs = (*pairs, 0, 0)
        elif padding == "same":
            total = dilation[position] * (kernel[position] - 1)
            pairs = (*pairs, total // 2, total - total // 2)
        else:
            amount = padding if isinstance(padding, int) else padding[position]
            pairs = (*pairs, amount, amount)
    return pairs


def paddings(padding: Any, axes: int) -> Any:
    """Return the padding that a convolution's Cell keeps as torch keeps it: one number an axis."""
    if isinstance(padding, str):
        return padding
    if isinstance(padding, int):
        return (padding,) * axes
    # A Cell for one axis has a second one of size 1, and pairs (before, after).
    return padding if len(padding) == axes else padding[-2 * axes :: 2]


def _padded(
    input: Tensor, padding: Any, kernel: tuple[int, ...], dilation: tuple[int, ...]
) -> Tensor:
    if padding == 0:
        return input
    return pad(input, padding_pairs(padding, kernel, dilation))


def max_pool1d(
    input: Tensor,
    kernel_size: int | tuple[int],
    stride: int | tuple[int] | None = None,
    padding: int | tuple[int] = 0,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the maxima of windows of [batch, channels, length]."""
    size = _first(kernel_size)
    step = size if stride is None else _first(stride)
    line = ops.expand_dims(input, 2)
    pooled = ops.max_pool2d(
        line, (1, size), stride=(1, step), padding=(0, _first(padding)), ceil_mode=ceil_mode
    )
    return ops.squeeze(pooled, 2)


def unfold(
    input: Tensor,
    kernel_size: int | tuple[int, int],
    dilation: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    stride: int | tuple[int, int] = 1,
) -> Tensor:
    """Return the windows of [batch, channels, height, width] as [batch, channels * kernel, n]."""
    kernel, pads = _pair(kernel_size), _pair(padding)
    result = pad(input, (pads[1], pads[1], pads[0], pads[0]))
    for axis in range(2):
        length = result.shape[2 + 2 * axis]
        spread = _pair(dilation)[axis] * (kernel[axis] - 1) + 1
        count = (length - spread) // _pair(stride)[axis] + 1
        index = _places(kernel[axis], count, _pair(dilation)[axis], _pair(stride)[axis])
        result = ops.gather(result, index, 2 + 2 * axis)
    windows = ops.transpose(result, (0, 1, 2, 4, 3, 5))
    channels = windows.shape[1] * kernel[0] * kernel[1]
    return ops.reshape(windows, (windows.shape[0], channels, -1))


def fold(
    input: Tensor,
    output_size: int | tuple[int, int],
    kernel_size: int | tuple[int, int],
    dilation: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    stride: int | tuple[int, int] = 1,
) -> Tensor:
    """Return [batch, channels, height, width], the sum of the windows that `unfold` gives."""
    kernel, sizes = _pair(kernel_size), _pair(output_size)
    counts = []
    spreads = []
    for axis in range(2):
        step, gap, border = _pair(stride)[axis], _pair(dilation)[axis], _pair(padding)[axis]
        count = (sizes[axis] + 2 * border - gap * (kernel[axis] - 1) - 1) // step + 1
        index = ops.reshape(_places(kernel[axis], count, gap, step) - border, (-1, 1))
        spreads.append((index == ops.arange(0, sizes[axis])).astype(input.dtype))
        counts.append(count)
    channels = input.shape[1] // (kernel[0] * kernel[1])
    windows = ops.reshape(input, (input.shape[0], channels, *kernel, counts[0], counts[1]))
    rows = kernel[0] * counts[0]
    columns = kernel[1] * counts[1]
    plane = ops.transpose(windows, (0, 1, 2, 4, 3, 5))
    plane = ops.reshape(plane, (input.shape[0], channels, rows, columns))
    return ops.matmul(ops.swapaxes(spreads[0], 0, 1), ops.matmul(plane, spreads[1]))


def _places(kernel: int, count: int, dilation: int, stride: int) -> Tensor:
    """Return [kernel, count], where each element of each window lies."""
    offsets = ops.arange(0, kernel).astype(ms.int64) * dilation
    return offsets.expand_dims(1) + ops.arange(0, count).astype(ms.int64) * stride


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    output_padding: int | tuple[int, int] = 0,
    groups: int = 1,
    dilation: int | tuple[int, int] = 1,
) -> Tensor:
    """Convolve [batch, in, height, width] transposed with [in, out / groups, height, width].

    All sizes but the batch are known when compiling.
    """
    steps, dilations = _pair(stride), _pair(dilation)
    pads, extra = _pair(padding), _pair(output_padding)
    kernel = (weight.shape[2], weight.shape[3])
    height = (input.shape[2] - 1) * steps[0] + dilations[0] * (kernel[0] - 1) + 1
    width = (input.shape[3] - 1) * steps[1] + dilations[1] * (kernel[1] - 1) + 1
    channels = weight.shape[1] * groups
    transpose = ops.Conv2DTranspose(
        weight.shape[0],
        kernel,
        pad_mode="valid",
        stride=steps,
        dilation=dilations,
        group=groups,
    )
    whole = transpose(input, weight, (input.shape[0], channels, height, width))
    # Padding crops the whole result; output_padding then adds rows that no input reaches.
    result = pad(whole, (-pads[1], extra[1] - pads[1], -pads[0], extra[0] - pads[0]))
    return result if bias is None else result + ops.reshape(bias, (1, -1, 1, 1))


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int] = 1,
    padding: int | tuple[int] = 0,
    output_padding: int | tuple[int] = 0,
    groups: int = 1,
    dilation: int | tuple[int] = 1,
) -> Tensor:
    """Convolve [batch, in, length] transposed with [in, out / groups, length]."""
    result = conv_transpose2d(
        ops.expand_dims(input, 2),
        ops.expand_dims(weight, 2),
        bias,
        (1, _first(stride)),
        (0, _first(padding)),
        (0, _first(output_padding)),
        groups,
        (1, _first(dilation)),
    )
    return ops.squeeze(result, 2)


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return [..., out], the sum of products of [..., first] and [..., second] with each weight."""
    products = ops.matmul(input1, ops.reshape(ops.swapaxes(weight, 0, 1), (weight.shape[1], -1)))
    shape = (*input1.shape[:-1], weight.shape[0], weight.shape[2])
    result = ops.sum(ops.reshape(products, shape) * ops.expand_dims(input2, -2), -1)
    return result if bias is None else result + bias


def _pair(value: int | tuple[int, int]) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def each_axis(value: Any, count: int) -> tuple[int, ...]:
    """Return one number for each axis."""
    return (value,) * count if isinstance(value, int) else tuple(value)


def _first(value: int | tuple[int]) -> int:
    return value if isinstance(value, int) else value[0]
