"""Classes that derive from modules of torch."""

import mindspore as ms
from mindspore import ops

from .runtime.embedding import Embedding
from .runtime.layers import LayerNorm, Linear
from .runtime.normalization import layer_norm
from .runtime.passed_on import ReLU


class ChannelNorm(LayerNorm):
    def __init__(self, size, *, eps=1e-6, first=True, **kwargs):
        super().__init__(size, eps=eps, **kwargs)
        self.first = first

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        if self.first:
            x = x.permute((0, 2, 3, 1))
            return super().construct(x).permute((0, 3, 1, 2))
        return layer_norm(x, normalized_shape=self.normalized_shape, weight=self.weight, bias=self.bias, eps=self.eps)


class Positions(Embedding):
    def __init__(self, count: int, width: int):
        self.offset = 2
        super().__init__(count + self.offset, width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return super().construct(x + self.offset)


class Scaled(Linear):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.dense(x, self.weight * 2.0, bias=self.bias)


class Act(ReLU):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return super().construct(x) + 1
