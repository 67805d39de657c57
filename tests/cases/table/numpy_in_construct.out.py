"""NumPy inside forward: operators of the graph take its place, with NumPy's dtypes."""

import numpy as np
import mindspore as ms
from mindspore import nn, ops

from .runtime.shaping import product


class Masked(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.scale = np.sqrt(width)

    def construct(self, x: ms.Tensor):
        n = x.shape[0]
        mask = ops.ones((n, n), dtype=ms.float64)
        lower = ops.tril(ops.ones((n, n), dtype=ms.float64))
        upper = ops.triu(ops.ones((n, n), dtype=ms.float64))
        both = ops.cat([ops.ones_like(mask), ops.zeros_like(mask)], axis=0)
        more = ops.stack([lower, upper], axis=0)
        return x * (x.shape[1] ** 0.5) * self.scale, both, more, product(x.shape)
