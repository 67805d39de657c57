"""Calls of forward between classes."""

import mindspore as ms
from mindspore import nn


class Base(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Dense(width, width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.layer(x)


class Derived(Base):
    def __init__(self, width: int):
        super(Derived, self).__init__(width)
        self.other = Base(width)
        self.layers = nn.CellList([Base(width) for _ in range(2)])
        self.sequence = nn.SequentialCell(Base(width), nn.ReLU(), nn.Dense(width, width))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = super().construct(x)
        x = super(Derived, self).construct(x)
        x = Base.construct(self, x)
        x = self.other.construct(x)
        x = self.layer.construct(x)
        for layer in self.layers:
            x = layer.construct(x) + layer(x)
        for i, layer in enumerate(self.layers):
            x = layer.construct(x) * i
        return self.sequence(x)

    def helper(self, forward):
        return forward.construct(self)


class Plain:
    def forward(self, x):
        return x

    def use(self):
        return self.forward(1)
