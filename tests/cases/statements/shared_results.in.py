"""Modules and functions that change what they get, or give it back."""

import torch
import torch.nn.functional as F
from torch import nn


def drop_path(x: torch.Tensor, rate: float, training: bool) -> torch.Tensor:
    if rate == 0.0 or not training:
        return x
    return x * torch.rand(1)


class DropPath(nn.Module):
    def __init__(self, rate: float):
        super().__init__()
        self.rate = rate

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return drop_path(x, self.rate, self.training)


class Updating(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.block = nn.Sequential(nn.Dropout(0.1), nn.ReLU(inplace=True), nn.Linear(3, 3))
        self.plain = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.plain(x)  # the sum is new, and nobody else has it
        h = self.relu(h)
        h = self.relu(h + 1)
        first = self.relu(h)  # h is changed, too
        second = self.block(x)  # the caller's x
        return first + second + h


class Sharing(nn.Module):
    def __init__(self, dropped: bool):
        super().__init__()
        self.dropout = nn.Dropout(0.1) if dropped else nn.Identity()
        self.path = DropPath(0.1)
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        h = self.linear(x)
        h = self.dropout(h)
        h += y  # only h
        h = h.view(-1, 3)
        h += y  # only h
        g = self.dropout(x)
        g += y  # x, in evaluation mode
        p = self.path(h)
        p += y  # h, in evaluation mode
        d = F.dropout(h, 0.1, self.training)
        d += y  # h, in evaluation mode
        n = self.linear(h)
        n += y  # only n
        return g + h + p + d + n
