"""Containers of modules."""

import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, width: int, layers: list[nn.Module]):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.given = nn.Sequential(*layers)
        self.many = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.empty = nn.ModuleList()
        self.named = nn.ModuleDict({"a": nn.Linear(width, width)})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.given(self.first(x))
        for layer in self.many:
            x = layer(x)
        return self.named["a"](x)
