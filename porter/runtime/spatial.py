"""Rearrange and pool planes and lines whose sizes may be unknown when compiling."""

# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

from mindspore import Tensor, nn, ops

from .indexing import max_unpool2d
from .shaping import pad


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Move channels [..., c * r * r, height, width] into the plane [..., c, height * r, width * r].

    The number of channels is known when compiling.
    """
    factor = upscale_factor
    outer = input.shape[:-3]
    channels = input.shape[-3] // (factor * factor)
    height, width = input.shape[-2], input.shape[-1]
    parts = ops.reshape(input, (-1, channels, factor, factor, height, width))
    parts = ops.transpose(parts, (0, 1, 4, 2, 5, 3))
    return ops.reshape(parts, (*outer, channels, height * factor, width * factor))


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Move the plane [..., c, height * r, width * r] into [..., c * r * r, height, width]."""
    factor = downscale_factor
    outer = input.shape[:-3]
    channels = input.shape[-3]
    height, width = input.shape[-2] // factor, input.shape[-1] // factor
    parts = ops.reshape(input, (-1, channels, height, factor, width, factor))
    parts = ops.transpose(parts, (0, 1, 3, 5, 2, 4))
    return ops.reshape(parts, (*outer, channels * factor * factor, height, width))


def _windows(length: int, output_size: int) -> Tensor:
    """Return [output, length]: true where a position belongs to a window of adaptive pooling."""
    number = ops.arange(0, output_size).expand_dims(1)
    place = ops.arange(0, length)
    start = ops.floor_divide(number * length, output_size)
    stop = ops.floor_divide((number + 1) * length + (output_size - 1), output_size)
    return ops.logical_and(place >= start, place < stop)


def adaptive_avg_pool1d(input: Tensor, output_size: int | tuple[int]) -> Tensor:
    """Return the means of windows that divide [..., length] as evenly as can be."""
    size = output_size if isinstance(output_size, int) else output_size[0]
    inside = _windows(input.shape[-1], size).astype(input.dtype)
    shares = inside / ops.sum(inside, 1, keepdim=True)
    return ops.matmul(input, ops.swapaxes(shares, 0, 1))


def adaptive_max_pool1d(input: Tensor, output_size: int | tuple[int]) -> Tensor:
    """Return the maxima of windows that divide [..., length] as evenly as can be."""
    size = output_size if isinstance(output_size, int) else output_size[0]
    inside = _windows(input.shape[-1], size)
    spread = ops.expand_dims(input, -2)
    lowest = ops.full_like(spread, float("-inf"))
    return ops.amax(ops.where(inside, spread, lowest), -1)


class PixelShuffle(nn.Cell):
    """Move channels into the plane."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input: Tensor) -> Tensor:
        return pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(nn.Cell):
    """Move the plane into channels."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input: Tensor) -> Tensor:
        return pixel_unshuffle(input, self.downscale_factor)


class AdaptiveAvgPool1d(nn.Cell):
    """Average windows of a line."""

    def __init__(self, output_size: int | tuple[int]) -> None:
        super().__init__()
        self.output_size = output_size

    def construct(self, input: Tensor) -> Tensor:
        return adaptive_avg_pool1d(input, self.output_size)


class AdaptiveMaxPool1d(nn.Cell):
    """Take the maxima of windows of a line."""

    def __init__(self, output_size: int | tuple[int]) -> None:
        super().__init__()
        self.output_size = output_size

    def construct(self, input: Tensor) -> Tensor:
        return adaptive_max_pool1d(input, self.output_size)


class MaxUnpool2d(nn.Cell):
    """Put the values of a pooling back where its indices say."""

    def __init__(
        self,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] | None = None,
        padding: int | tuple[int, int] = 0,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(
        self, input: Tensor, indices: Tensor, output_size: tuple[int, ...] | None = None
    ) -> Tensor:
        return max_unpool2d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class Pad(nn.Cell):
    """Pad the last axes by one number on all sides, or by pairs, the last axis first."""

    def __init__(
        self, axes: int, padding: int | tuple[int, ...], mode: str, value: float = 0.0
    ) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * axes) if isinstance(padding, int) else tuple(padding)
        self.mode = mode
        self.value = value

    def construct(self, input: Tensor) -> Tensor:
        return pad(input, self.padding, self.mode, self.value)


class SyncBatchNorm(nn.Cell):
    """Normalise the channels of a batch with any number of axes, in the one process there is."""

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.bn2d = nn.BatchNorm2d(num_features, eps=eps, momentum=1.0 - momentum)

    def construct(self, input: Tensor) -> Tensor:
        flat = ops.reshape(input, (input.shape[0], input.shape[1], -1, 1))
        return ops.reshape(self.bn2d(flat), input.shape)
