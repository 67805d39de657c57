"""Functions of torch as values, and calls whose arguments only the running code knows."""


import mindspore as ms
from mindspore import nn, ops

from .runtime.calling import Partial
from .runtime.normalization import layer_norm
from .runtime.resampling import interpolate


def cast(*values: object) -> tuple[object, ...]:
    return values


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(ops.ones((8,)))
        self.shift = ms.Parameter(ops.zeros((8,)))
        self.resize = Partial(interpolate, scale_factor=2, mode="nearest")

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        given = cast(x, (8,), self.scale + 1.0, self.shift)
        x = layer_norm(*given)
        options = {"weight": self.scale, "eps": 0.1 if x.shape[0] > 1 else 0.2}
        return self.resize(layer_norm(x, (8,), **options))
