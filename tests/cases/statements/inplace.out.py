"""Methods that update a tensor in place."""

import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(ops.ones((3,)))

    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        fresh = ops.relu(x)
        fresh = (fresh + y).astype(fresh.dtype)
        fresh = (fresh * 2) + 1
        alias = fresh
        alias = (alias - y).astype(alias.dtype)
        x = (x + y).astype(x.dtype)  # the caller's tensor
        part = x.view((-1,))
        part = part * 2
        self.scale.mul_(2)
        fresh[0] = ops.zeros_like(fresh[0])
        z = fresh.clamp_(min=0.0)
        z = ops.relu(z)
        z = (z + y).astype(z.dtype) * 2
        z = ops.zeros_like(z)
        return z + part


class Rebound(nn.Cell):
    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        x = ops.relu(x)
        x = (x + y).astype(x.dtype)  # nobody else has it
        x = x + y
        kept = [x]
        h = ops.relu(x)
        first = h
        h = h + y  # first would see it
        return x + y + h + first + kept[0]
