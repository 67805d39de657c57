"""Buffers: a parameter without gradient where it is saved, a plain tensor where it is not."""

import mindspore as ms
from mindspore import nn, ops


class Positions(nn.Cell):
    def __init__(self, length: int):
        super().__init__()
        self.saved = ms.Parameter(ops.arange(length), requires_grad=False)
        self.made = ops.arange(length)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return x + self.saved + self.made
