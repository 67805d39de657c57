"""Parameters of a model."""

import mindspore as ms
from mindspore import nn, ops


class Scale(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.weight = ms.Parameter(ops.ones((width,)))
        self.fixed = ms.Parameter(ops.zeros((1, width)), requires_grad=False)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return x * self.weight + self.fixed
