"""Contexts that vanish, and one that stays."""

import torch
import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 3)

    def decorated(self, x: ms.Tensor):
        return self.layer(x)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        # why gradients are off
        # inside
        y = self.layer(x)
        if x.shape[0] > 1:
            y = ops.relu(y)
        z = ops.relu(y)
        return y + z


def outside(path, x: ms.Tensor):
    with open(path) as handle, torch.no_grad():
        ops.relu(x)
        return handle.read()
