"""A result that is a plain tuple where that is asked for."""

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutputWithPooling


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(
        self, x: torch.Tensor, return_dict: bool = True
    ) -> tuple | BaseModelOutputWithPooling:
        hidden = self.layer(x)
        if x.shape[0] > 1:
            pooled = self.layer(hidden)
        else:
            pooled = (hidden, hidden)
        if not return_dict:
            return hidden, pooled
        return BaseModelOutputWithPooling(last_hidden_state=hidden, pooler_output=hidden)
