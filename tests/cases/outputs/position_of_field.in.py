"""A position in a result whose later fields may be None."""

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutputWithPooling


class Encoder(nn.Module):
    def __init__(self, pooled: bool):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.pooler = nn.Linear(3, 3) if pooled else None

    def forward(self, x: torch.Tensor) -> BaseModelOutputWithPooling:
        hidden = self.layer(x)
        pooled = self.pooler(hidden) if self.pooler is not None else None
        return BaseModelOutputWithPooling(last_hidden_state=hidden, pooler_output=pooled)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.encoder(x)[0]
