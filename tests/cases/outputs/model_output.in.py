"""Structured results of transformers."""

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput, BaseModelOutputWithPooling
from transformers.utils import ModelOutput
from dataclasses import dataclass


@dataclass
class OwnOutput(ModelOutput):
    """A result of the source itself."""

    loss: torch.FloatTensor | None = None
    logits: torch.FloatTensor | None = None


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, **kwargs) -> tuple | BaseModelOutput:
        return BaseModelOutput(last_hidden_state=self.layer(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor, labels: torch.Tensor | None = None) -> OwnOutput:
        hidden = self.encoder(x).last_hidden_state
        states = self.encoder(x).hidden_states
        logits = self.head(hidden)
        loss = None
        if labels is not None:
            loss = torch.mean((logits - labels) ** 2)
        return OwnOutput(loss=loss, logits=logits)
