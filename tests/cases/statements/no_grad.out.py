"""Contexts that vanish, and one that stays."""

import torch
import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 3)

    def decorated(self, x: ms.Tensor):
        return ops.stop_gradient(self.layer(x))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        # why gradients are off
        # inside
        y = ops.stop_gradient(self.layer(x))
        if x.shape[0] > 1:
            y = ops.stop_gradient(ops.relu(y))
        z = ops.stop_gradient(ops.relu(y))
        a, b = ops.stop_gradient(ops.chunk(z, 2, axis=-1))
        count: int = x.shape[0]
        self.last = ops.stop_gradient(a)
        z = z * 2
        z = z + 1
        c = z * count
        return y + z + a + b + c


def outside(path, x: ms.Tensor):
    with open(path) as handle, torch.no_grad():
        ops.relu(x)
        return handle.read()
