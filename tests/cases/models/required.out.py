"""Packages that a port does not have, decorators that take note, updates that are given back."""

import mindspore as ms
from mindspore import mint, nn, ops

from .runtime.containers import add_module
from .runtime.initialization import ones_
from .runtime.inplace import update
from .runtime.normalization import layer_norm
from .runtime.passed_on import AvgPool1d, SiLU
from .runtime.scalars import require
from .runtime.stateless_layers import Softplus

has_fused = False

Swish = SiLU


noted = set()
WIDTHS = {}
WIDTHS["small"] = 8


def takes_note(function):
    noted.add(function)
    return function


def named(name):
    def decorate(cls):
        noted.add(name)
        return cls

    return decorate


@takes_note
def softened(x: ms.Tensor, inplace: bool = False):
    return (x * x.sigmoid()).astype(x.dtype) if inplace else x * x.sigmoid()


def shifted(x):
    return ops.clamp((x + 3.0), min=0.0, max=6.0) / 6.0


def device_kind(device: str):
    return False


@named("norm")
class Norm(nn.Cell):
    def __init__(self, width, act_layer=Softplus, pool=AvgPool1d):
        super().__init__()
        self.weight = ms.Parameter(ops.ones((width,)))
        self.act = act_layer()
        self.pool = pool(3, 1, 1)
        self.start()

    def start(self):
        update(self.weight, self.weight * 2.0) if False else ones_(self.weight)

    def construct(self, x):
        x = layer_norm(x, normalized_shape=self.weight.shape, weight=self.weight, eps=0.1)
        if device_kind("cpu"):
            x = x * 2.0
        return self.act(self.pool(x))


class Model(nn.Cell):
    def __init__(self, width: int = WIDTHS["small"]):
        super().__init__()
        self.width = width
        for stage in [("first", nn.Dense(width, width)), ("second", Swish())]:
            add_module(self, *stage)
        self.norm = Norm(width)

    def kept(self):
        return {"norm", *noted}

    def construct(self, x: ms.Tensor):
        require(x.shape[-1] == self.width, f"{x.shape[-1]} is no width of {self.width}")
        require(mint.sum(x) < 1e9, "too large")
        x = self.second(self.first(x))
        x = softened(x, inplace=False)
        x = shifted(x * 1.0)
        x = (x * 2.0) + 1.0
        return self.norm(x)
