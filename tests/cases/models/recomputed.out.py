"""Layers that torch computes again for the gradient, and one with a split weight."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.weight_norm import weight_norm, weight_norm_pair


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = weight_norm(nn.Dense(8, 8))
        self.other = weight_norm_pair(nn.Dense(8, 8))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.layer(x)
        return self.add(x, self.other(x))

    def add(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        return x + ops.relu(y)
