"""Layers and functions of einops, whose axes are keywords of any name."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.einops import Rearrange, Reduce, rearrange, repeat


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.split = nn.SequentialCell(Rearrange("b n (h d) -> b h n d", h=2), nn.Dense(4, 3))
        self.pool = Reduce("b (n m) d -> b n d", "mean", m=5)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        heads = self.split(x)
        joined = rearrange(heads, "b h n d -> b n (h d)")
        token = repeat(self.pool(joined), "b 1 d -> b n d", n=2)
        return ops.cat((joined, token), axis=1)
