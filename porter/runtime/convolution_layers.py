"""Provide convolutions with torch's arguments where the Cells of MindSpore differ."""

# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

import math
from typing import Any, ClassVar

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from . import convolution, shaping
from . import initialization as init
from .parameters import only_float32


class _Convolution(nn.Cell):
    """Hold the parameters of a convolution, started as torch starts them."""

    axes: ClassVar[int] = 0
    transposed: ClassVar[bool] = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        super().__init__()
        only_float32(dtype)
        kernel = convolution.each_axis(kernel_size, self.axes)
        first, second = (out_channels, in_channels)
        if self.transposed:
            first, second = second, first
        weight = Parameter(ops.zeros((first, second // groups, *kernel), ms.float32))
        self.weight = init.kaiming_uniform_(weight, a=math.sqrt(5.0))
        self.bias = None
        if bias:
            bound = 1.0 / math.sqrt(second // groups * math.prod(kernel))
            start = Parameter(ops.zeros((out_channels,), ms.float32))
            self.bias = init.uniform_(start, -bound, bound)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel
        self.stride: Any = convolution.each_axis(stride, self.axes)
        self.padding: Any = (
            padding if isinstance(padding, str) else convolution.each_axis(padding, self.axes)
        )
        self.dilation: Any = convolution.each_axis(dilation, self.axes)
        self.groups = self.group = groups  # torch's name, and that of MindSpore's cells
        self.padding_mode = padding_mode
        self.pairs = convolution.padding_pairs(padding, kernel, self.dilation)
        self.mode = "constant" if padding_mode == "zeros" else padding_mode
        self.padded = any(self.pairs)

    def pad(self, input: Tensor) -> Tensor:
        """Pad the input in the cell's mode."""
        return shaping.pad(input, self.pairs, self.mode) if self.padded else input


class Conv1d(_Convolution):
    """Convolve [batch, in, length]."""

    axes = 1

    def construct(self, input: Tensor) -> Tensor:
        return convolution.conv1d(
            self.pad(input), self.weight, self.bias, self.stride, 0, self.dilation, self.groups
        )


class Conv2d(_Convolution):
    """Convolve [batch, in, height, width]."""

    axes = 2

    def construct(self, input: Tensor) -> Tensor:
        return convolution.conv2d(
            self.pad(input), self.weight, self.bias, self.stride, 0, self.dilation, self.groups
        )


class Conv3d(_Convolution):
    """Convolve [batch, in, depth, height, width]."""

    axes = 3

    def construct(self, input: Tensor) -> Tensor:
        return convolution.conv3d(
            self.pad(input), self.weight, self.bias, self.stride, 0, self.dilation, self.groups
        )


class _Transposed(_Convolution):
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError("a transposed convolution pads with zeros alone")
        only_float32(dtype)
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias
        )
        self.output_padding: Any = convolution.each_axis(output_padding, self.axes)


class ConvTranspose1d(_Transposed):
    """Convolve [batch, in, length] transposed."""

    axes = 1

    def construct(self, input: Tensor) -> Tensor:
        return convolution.conv_transpose1d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self.output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose2d(_Transposed):
    """Convolve [batch, in, height, width] transposed."""

    axes = 2

    def construct(self, input: Tensor) -> Tensor:
        return convolution.conv_transpose2d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self.output_padding,
            self.groups,
            self.dilation,
        )
