"""Partials of layers and functions that their function calls itself."""

import functools

import mindspore as ms
from mindspore import nn, ops

from .runtime.layers import LayerNorm


class Model(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.first = nn.BatchNorm2d(width, eps=0.001, momentum=1 - 0.0)
        self.second = nn.BatchNorm2d(width, eps=0.001, momentum=1 - (-0.5))
        self.convolution = nn.Conv2d(width, 2 * width, 3, has_bias=False, padding=1, pad_mode="pad")
        passed_on = functools.partial(LayerNorm, eps=1e-6)
        self.inner = Inner(passed_on)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.convolution(ops.leaky_relu(self.second(self.first(x)), alpha=0.2))


class Inner(nn.Cell):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm(4)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.norm(x)
