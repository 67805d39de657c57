"""Functions of torch as values, and calls whose arguments only the running code knows."""

from functools import partial

import mindspore as ms
from mindspore import nn, ops

from .runtime.normalization import layer_norm
from .runtime.resampling import interpolate


def cast(*values: object) -> tuple[object, ...]:
    return values


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(ops.ones((8,)))
        self.shift = ms.Parameter(ops.zeros((8,)))
        self.resize = partial(interpolate, scale_factor=2, mode="nearest")

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        given = cast(x, (8,), self.scale + 1.0, self.shift)
        x = layer_norm(*given)
        options = {"weight": self.scale}
        if x.shape[0] > 1:
            options["eps"] = 0.1
        return self.resize(layer_norm(x, (8,), **options))
