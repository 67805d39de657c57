# mypy: ignore-errors
"""Hold PyTorch modules that behave otherwise in training mode."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional


class Dropping(nn.Module):
    """Drop values in a module and in a function."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, 16)
        self.dropout = nn.Dropout(p=0.3)
        self.second = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.dropout(torch.relu(self.first(x)))
        x = functional.dropout(x, p=0.2, training=self.training)
        return self.second(x)


class Normed(nn.Module):
    """Take statistics of the batch."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, 6)
        self.norm = nn.BatchNorm1d(6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.norm(self.first(x)))
