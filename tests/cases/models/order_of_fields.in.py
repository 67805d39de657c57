"""Positions count fields in the order of their class, and slices those that are not None."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutputWithPooling
from transformers.utils import ModelOutput


@dataclass
class Own(ModelOutput):
    first: Optional[torch.Tensor] = None
    second: Optional[torch.Tensor] = None


class Pair(NamedTuple):
    left: torch.Tensor
    right: Optional[torch.Tensor] = None


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> Own:
        return Own(second=x + 1, first=x * 2)


class Named(nn.Module):
    def forward(self, x: torch.Tensor) -> Pair:
        return Pair(right=x + 1, left=x * 2)


class Encoder(nn.Module):
    def __init__(self, pooled: bool):
        super().__init__()
        self.pooler = nn.Linear(8, 8) if pooled else None

    def forward(self, x: torch.Tensor, states: bool = False) -> BaseModelOutputWithPooling:
        pooled = self.pooler(x) if self.pooler is not None else None
        return BaseModelOutputWithPooling(
            attentions=x * 4, pooler_output=pooled, last_hidden_state=x, hidden_states=None
        )


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.named = Named()
        self.encoder = Encoder(True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden, pooled = self.encoder(x)[:2]
        last = self.encoder(x)[-1]
        return self.inner(x)[0] + 10 * self.named(x)[1] + 100 * hidden + pooled + 1000 * last
