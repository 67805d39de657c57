"""Methods that call functions of the module which have their names."""

from math import floor

import torch
from torch import nn


def scale(x: torch.Tensor, by: int = 2) -> torch.Tensor:
    return x * by


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def scale(self, x: torch.Tensor, by: int = 3) -> torch.Tensor:
        return scale(self.linear(x), by)

    def shift(self, x: torch.Tensor) -> torch.Tensor:
        return shift(x)

    def floor(self, x: torch.Tensor, length: int) -> torch.Tensor:
        return x + floor(length / 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.floor(self.shift(self.scale(x)), x.size(1))


def shift(x: torch.Tensor) -> torch.Tensor:
    return x - 1
