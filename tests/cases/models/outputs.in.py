"""A model whose result has names, one of which may be absent."""

from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn


@dataclass
class Result:
    hidden: torch.Tensor
    pooled: Optional[torch.Tensor] = None


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, pool: bool = False) -> Result:
        hidden = torch.relu(self.layer(x))
        pooled = None
        if pool:
            pooled = hidden[:, 0]
        return Result(hidden=hidden, pooled=pooled)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.encoder(x, pool=True)
        plain = self.encoder(x)
        y = plain.hidden
        if plain.pooled is None:
            y = y + 1
        if out.pooled is not None:
            y = y + out.pooled.unsqueeze(1)
        return self.head(y + out.hidden)
