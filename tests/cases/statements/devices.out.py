"""Device variables, which have no use in a port."""

import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        dtype, other = x.dtype, "cpu"
        mask = ops.ones((x.shape[0], 1), dtype=dtype)
        mask = mask.astype(dtype)
        return (x * mask)


class Kept(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        device = "cpu"
        if device == "cuda":
            x = ops.relu(x)
        return x.contiguous()
