"""Other spellings of the same imports."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.elementwise import gelu


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = nn.Dense(3, 4)
        self.b = nn.Dense(4, 3, has_bias=False)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.b(self.a(x))
        x = (x + ops.relu(x)) + ops.matmul(x, x)
        x = gelu(x) + gelu(x) + ops.relu(x)
        return ops.cat([x, x], axis=0)
