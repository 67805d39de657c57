"""Calls of forward between classes."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)


class Derived(Base):
    def __init__(self, width: int):
        super(Derived, self).__init__(width)
        self.other = Base(width)
        self.layers = nn.ModuleList([Base(width) for _ in range(2)])
        self.sequence = nn.Sequential(Base(width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = super().forward(x)
        x = super(Derived, self).forward(x)
        x = Base.forward(self, x)
        x = self.other.forward(x)
        x = self.layer.forward(x)
        for layer in self.layers:
            x = layer.forward(x) + layer(x)
        for i, layer in enumerate(self.layers):
            x = layer.forward(x) * i
        return self.sequence(x)

    def helper(self, forward):
        return forward.forward(self)


class Plain:
    def forward(self, x):
        return x

    def use(self):
        return self.forward(1)
