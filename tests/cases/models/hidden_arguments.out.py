"""Arguments that only the running code knows, containers that grow, and what is not there."""

from collections import OrderedDict

import mindspore as ms
from mindspore import nn, ops


from .runtime.containers import ModuleDict, Sequential, add_module
from .runtime.creation import converted as creation_converted
from .runtime.inplace import update
from .runtime.layers import LayerNorm, Linear
from .runtime.parameters import remove
from .runtime.scalars import require
from .runtime.stateless_layers import Tanh


_EXPORT = False


def placement(module):
    return {"device": "cpu", "dtype": ms.float32}


def layer(width, **options):
    return Linear(width, width, **options)


class Grown(Sequential):
    def __init__(self, width):
        super().__init__(nn.Dense(width, width), nn.ReLU())
        self.last = nn.Dense(width, width)


class Named(Sequential):
    def __init__(self, width):
        super().__init__(OrderedDict([("a", nn.Dense(width, width)), ("b", Tanh())]))


class Dense(ModuleDict):
    def __init__(self, width):
        super().__init__()
        for number in range(2):
            add_module(self, f"layer{number}", nn.Dense(width, width))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        for _, inner in self.items():
            x = x + inner(x)
        return x


class NoBias(LayerNorm):
    def __init__(self, width):
        super().__init__(width)
        remove(self, "bias")


class Model(nn.Cell):
    def __init__(self, width: int = 8, norm_layer=LayerNorm, **kwargs):
        super().__init__()
        dd = {"device": kwargs.get("device", None), "dtype": kwargs.get("dtype", None)}
        self.empty = nn.SequentialCell()
        add_module(self.empty, "first", layer(width, bias=False))
        add_module(self.empty, "second", nn.GELU(approximate=False))
        self.token = ms.Parameter(ops.zeros((width,), dtype=kwargs.get("dtype", None)))
        self.grown = Grown(width)
        self.named = Named(width)
        self.dense = Dense(width)
        self.norm = norm_layer(width, **dd)
        self.plain = NoBias(width)
        self.register_buffer("table", ops.zeros((width,)))
        self.fill()

    def fill(self):
        self.fill_table()

    def fill_table(self):
        update(self.table, ops.broadcast_to(ops.arange(8.0), self.table.shape).astype(self.table.dtype))

    def reset(self, count: int):
        self.head = Linear(count, count, **placement(self))

    def converted(self, x: ms.Tensor, dtype=None) -> ms.Tensor:
        return creation_converted(x, dtype)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        require(x.ndim == 3, "three axes")
        x = self.empty(x) + self.token
        x = self.dense(self.named(self.grown(x)))
        x = self.plain(self.norm(x)) + self.table
        return self.converted(x.astype(self.norm.gamma.dtype))
