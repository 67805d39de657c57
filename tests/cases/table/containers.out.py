"""Containers of modules."""

import mindspore as ms
from mindspore import nn

from .runtime.containers import ModuleList


class Stack(nn.Cell):
    def __init__(self, width: int, layers: list[nn.Cell]):
        super().__init__()
        self.first = nn.SequentialCell(nn.Dense(width, width), nn.ReLU())
        self.given = nn.SequentialCell(*layers)
        self.many = nn.CellList([nn.Dense(width, width) for _ in range(2)])
        self.empty = ModuleList()
        self.named = nn.CellDict({"a": nn.Dense(width, width)})

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.given(self.first(x))
        for layer in self.many:
            x = layer(x)
        return self.named["a"](x)
