"""Structured results of dataclasses and NamedTuples."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch
from torch import nn


@dataclass
class Result:
    hidden: torch.Tensor
    pooled: Optional[torch.Tensor] = None


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Encoder(nn.Module):
    """Always gives both fields."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> Result:
        x = self.layer(x)
        # both are there
        return Result(
            hidden=x,  # the whole
            pooled=x[:, 0],
        )


class Optionally(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def forward(self, x: torch.Tensor, pool: bool = False) -> Result:
        out = self.encoder(x)
        pooled = out.pooled if pool else None
        return Result(hidden=out.hidden + out[0], pooled=pooled)


class User(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Optionally()

    def forward(self, x: torch.Tensor) -> Pair:
        out = self.inner(x)
        y = out.hidden
        if out.pooled is not None:
            y = y + out.pooled
        return Pair(x, y)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = User()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pair = self.user(x)
        first, second = self.user(x)
        return pair.first + pair[1] + first + second
