"""A model whose names are those of the port's own imports."""

import mindspore as mindspore_ms
from mindspore import nn as mindspore_nn, ops as mindspore_ops

ops = 2


class nn(mindspore_nn.Cell):  # noqa: N801
    def __init__(self, ms: int):
        super().__init__()
        self.layer = mindspore_nn.Dense(ms, ms)

    def construct(self, mint: mindspore_ms.Tensor) -> mindspore_ms.Tensor:
        return mindspore_ops.softmax(mindspore_ops.cat([self.layer(mint), mint], axis=1), axis=-1) * ops


class Model(mindspore_nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = nn(8)

    def construct(self, x: mindspore_ms.Tensor) -> mindspore_ms.Tensor:
        return self.inner.construct(x).astype(mindspore_ms.float32)
