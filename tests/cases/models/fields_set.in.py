from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Parts:
    hidden: torch.Tensor
    pooled: torch.Tensor | None = None
    extra: torch.Tensor | None = None


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> Parts:
        hidden = self.linear(x)
        return Parts(hidden=hidden, pooled=hidden.mean(1))


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.project = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> Parts:
        parts = self.inner(x)
        parts.pooled = self.project(parts.pooled)
        parts.extra = parts.pooled * 2
        return parts


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.outer = Outer()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.outer(x)
        return parts.hidden + parts.pooled.unsqueeze(1) + parts.extra.unsqueeze(1)
