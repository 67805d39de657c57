from types import SimpleNamespace

import mindspore as ms
from mindspore import nn, ops

from .runtime.creation import tensor_of
from .runtime.parameters import set_requires_grad


class Settings(SimpleNamespace):
    pass


class Model(nn.Cell):
    """torch.Tensor(n) is n numbers long, whatever says how large n is."""

    def __init__(self, config=None):
        super().__init__()
        config = config or Settings(width=8, rows=[1.0, 2.0])
        self.scale = ms.Parameter(ops.rand_like(tensor_of(config.width, ms.float32)) * (1 - 0) + 0)
        self.table = ms.Parameter(ops.randn_like(ops.zeros((2, config.width), ms.float32)) * 1 + 0)
        self.linear = nn.Dense(8, 8)
        set_requires_grad(self.linear)
        self.rows = tensor_of(config.rows, ms.float32)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        width = self.linear.in_channels * self.linear.out_channels
        return self.linear(x) * self.scale + self.table[1] * self.rows[1] / width
