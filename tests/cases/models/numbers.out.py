"""Numbers and small tables that a forward computes with math and NumPy."""

import math

import mindspore as ms
from mindspore import nn, ops

from .runtime.scalars import (
    ceil,
    cos,
    exp as scalars_exp,
    floor,
    linspace,
    log,
    log10,
    log2,
    sin,
    tanh as scalars_tanh,
)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(8, 4)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        width = x.shape[-1]
        half = ceil(width / 3) + floor(x.shape[1] / 2) * math.pow(width, 0.5)
        rounded = float(floor(width / 3)) + float(ceil(-width / 3)) + abs(-width) + (width ** 2)
        curves = cos(width) + sin(0.5) * scalars_tanh(0.25) + scalars_exp(-0.5) + math.tanh(0.5)
        logs = log(width) + log2(width) + log10(100.0) + math.log(width) + math.log(8, 2)
        steps = linspace(0.0, 1.0, num=4, dtype=ms.float32)
        table = ops.sqrt(ops.ones((4,), dtype=ms.float32) * 2.0) + (2.718281828459045) - (3.141592653589793)
        scale = half * rounded + curves * logs * (width ** 0.5) + (2.718281828459045) - (6.283185307179586)
        return self.layer(x) * steps * table + scale
