"""Names of the source that the port would take for its own imports."""

import mindspore as mindspore_ms
from mindspore import nn, ops as mindspore_ops

ops = ["a", "b"]


def ms(x: mindspore_ms.Tensor):
    return mindspore_ops.cat([x, x], axis=0), ops


class Model(nn.Cell):
    def __init__(self, mint):
        super().__init__()
        self.layer = nn.Dense(3, 3)
        self.mint = mint

    def construct(self, x: mindspore_ms.Tensor) -> mindspore_ms.Tensor:
        return mindspore_ops.cat([self.layer(x), x], axis=1).astype(mindspore_ms.float32)
