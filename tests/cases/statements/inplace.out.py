"""Methods that update a tensor in place."""

import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(ops.ones((3,)))

    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        fresh = ops.relu(x)
        fresh = fresh + y
        fresh.mul_(2).add_(1)
        alias = fresh
        alias = alias - y
        x = x + y  # the caller's tensor
        part = x.view((-1,))
        part = part * 2
        self.scale.mul_(2)
        ops.zeros_like(fresh[0])
        z = fresh.clamp_(min=0.0)
        return z + part
