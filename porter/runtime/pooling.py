"""Pool and unpool as torch does where MindSpore has another call, or none."""

# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore as ms
from mindspore import Tensor, nn, ops


class FunctionCell(nn.Cell):
    """Apply a function with options that are known when the cell is made."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__()
        self.function = function
        self.options = options

    def construct(self, *inputs: Tensor) -> Any:
        return self.function(*inputs, **self.options)


def _three(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return (value,) * 3 if isinstance(value, int) else tuple(value)


def _first(value: int | tuple[int, ...]) -> int:
    return value if isinstance(value, int) else value[0]


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | tuple[int, ...],
    stride: int | tuple[int, ...] | None = None,
    padding: int | tuple[int, ...] = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    """Return zeros with the values of a pooling put back where its indices say."""
    kernel = _first(kernel_size)
    step = kernel if stride is None else _first(stride)
    length = (input.shape[-1] - 1) * step - 2 * _first(padding) + kernel
    return _unpooled(input, indices, (length if output_size is None else output_size[-1],))


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | tuple[int, ...],
    stride: int | tuple[int, ...] | None = None,
    padding: int | tuple[int, ...] = 0,
    output_size: tuple[int, ...] | None = None,
) -> Tensor:
    """Return zeros with the values of a pooling put back where its indices say."""
    kernel, border = _three(kernel_size), _three(padding)
    step = kernel if stride is None else _three(stride)
    if output_size is not None:
        return _unpooled(input, indices, tuple(output_size)[-3:])
    sizes = [
        (input.shape[axis - 3] - 1) * step[axis] - 2 * border[axis] + kernel[axis]
        for axis in range(3)
    ]
    return _unpooled(input, indices, tuple(sizes))


def _unpooled(input: Tensor, indices: Tensor, sizes: tuple[int, ...]) -> Tensor:
    outer = input.shape[: input.ndim - len(sizes)]
    count = 1
    for size in sizes:
        count = count * size
    zeros = ops.zeros((*outer, count), dtype=input.dtype)
    places = ops.reshape(indices, (*outer, -1))
    values = ops.reshape(input, (*outer, -1))
    result = ops.tensor_scatter_elements(zeros, places, values, axis=len(outer))
    return ops.reshape(result, (*outer, *sizes))


def avg_pool3d(
    input: Tensor,
    kernel_size: int | tuple[int, ...],
    stride: int | tuple[int, ...] | None = None,
    padding: int | tuple[int, ...] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the means of windows; a step is the window unless it is given."""
    step = kernel_size if stride is None else stride
    divisor = 0 if divisor_override is None else divisor_override
    return ops.avg_pool3d(
        input,
        _three(kernel_size),
        _three(step),
        padding if isinstance(padding, int) else tuple(padding),
        ceil_mode,
        count_include_pad,
        divisor,
    )


def max_pool3d(
    input: Tensor,
    kernel_size: int | tuple[int, ...],
    stride: int | tuple[int, ...] | None = None,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Return the maxima of windows, and with `return_indices` their int64 places."""
    step = kernel_size if stride is None else stride
    values, places = ops.max_pool3d(
        input, _three(kernel_size), _three(step), _three(padding), _three(dilation), ceil_mode, True
    )
    return (values, places.astype(ms.int64)) if return_indices else values


def adaptive_max_pool3d(input: Tensor, output_size: int | tuple[int | None, ...]) -> Tensor:
    """Return maxima over as many blocks of each axis as asked; None keeps the axis."""
    sizes = (output_size,) * 3 if isinstance(output_size, int) else output_size
    lengths = input.shape[-3:]
    kept = tuple([lengths[i] if size is None else size for i, size in enumerate(sizes)])
    return ops.adaptive_max_pool3d(input, kept)


def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | tuple[int, ...],
    stride: int | tuple[int, ...] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the p-norms of windows, without a root for what is negative."""
    kernel = _three(kernel_size)
    means = avg_pool3d(input**norm_type, kernel, stride, 0, ceil_mode)
    sums = ops.sign(means) * ops.relu(ops.abs(means)) * (kernel[0] * kernel[1] * kernel[2])
    return sums ** (1.0 / norm_type)


def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Exchange the channels of groups: the first of each, then the second of each."""
    split = (input.shape[0], groups, input.shape[1] // groups, *input.shape[2:])
    return ops.reshape(ops.swapaxes(ops.reshape(input, split), 1, 2), input.shape)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, channels: bool = False
) -> Tensor:
    """Replace elements, or channels, by the lowest value of SELU; mean and variance stay."""
    if not training or p == 0:
        return input
    lowest = -1.7580993408473766
    scale = 1.0 / ((1.0 - p) * (1.0 + p * lowest * lowest)) ** 0.5
    shape = (*input.shape[:2], *(1,) * (input.ndim - 2)) if channels else input.shape
    kept = (ops.rand(shape) >= p).astype(input.dtype)
    return scale * (input * kept + lowest * (1.0 - kept)) - scale * lowest * p


class AlphaDropout(nn.Cell):
    """Replace elements, or channels, by the lowest value of SELU while training."""

    def __init__(self, p: float = 0.5, channels: bool = False) -> None:
        super().__init__()
        self.p = p
        self.channels = channels

    def construct(self, input: Tensor) -> Tensor:
        return alpha_dropout(input, self.p, self.training, self.channels)
