"""Arguments that only the running code knows, containers that grow, and what is not there."""

from collections import OrderedDict
from typing import Optional

import torch
from torch import nn

try:
    from torch import _assert
except ImportError:

    def _assert(condition, message):
        assert condition, message


_EXPORT = False


def placement(module):
    return {"device": "cpu", "dtype": torch.float32}


def layer(width, **options):
    return nn.Linear(width, width, **options)


class Grown(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, width), nn.ReLU())
        self.last = nn.Linear(width, width)


class Named(nn.Sequential):
    def __init__(self, width):
        super().__init__(OrderedDict([("a", nn.Linear(width, width)), ("b", nn.Tanh())]))


class Dense(nn.ModuleDict):
    def __init__(self, width):
        super().__init__()
        for number in range(2):
            self.add_module(f"layer{number}", nn.Linear(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _, inner in self.items():
            x = x + inner(x)
        return x


class NoBias(nn.LayerNorm):
    def __init__(self, width):
        super().__init__(width)
        self.bias = None


class Model(nn.Module):
    def __init__(self, width: int = 8, norm_layer=nn.LayerNorm, **kwargs):
        super().__init__()
        dd = {"device": kwargs.get("device", None), "dtype": kwargs.get("dtype", None)}
        self.empty = nn.Sequential()
        self.empty.add_module("first", layer(width, bias=False))
        self.empty.add_module("second", nn.GELU())
        self.token = nn.Parameter(torch.zeros(width, **dd))
        self.grown = Grown(width)
        self.named = Named(width)
        self.dense = Dense(width)
        self.norm = norm_layer(width, **dd)
        self.plain = NoBias(width)
        self.register_buffer("table", torch.zeros(width))
        self.fill()

    def fill(self):
        self.fill_table()

    def fill_table(self):
        self.table.copy_(torch.arange(8.0))

    def reset(self, count: int):
        self.head = nn.Linear(count, count, **placement(self))

    def converted(self, x: torch.Tensor, dtype: Optional[torch.dtype] = None) -> torch.Tensor:
        return x.to(dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        _assert(x.ndim == 3, "three axes")
        x = self.empty(x) + self.token
        x = self.dense(self.named(self.grown(x)))
        if _EXPORT:
            self.width = x.shape[-1]
        x = self.plain(self.norm(x)) + self.table
        return self.converted(x.to(self.norm.weight.dtype))
