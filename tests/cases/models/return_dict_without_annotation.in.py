"""A result that is a plain tuple where that is asked for, and nothing says what it is."""

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutputWithPooling


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, return_dict=None):
        return_dict = return_dict if return_dict is not None else True
        hidden = self.layer(x)
        if not return_dict:
            return (hidden,) + (x,)
        return BaseModelOutputWithPooling(last_hidden_state=hidden, pooler_output=x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor):
        return self.inner(x)[0] + self.inner(x, return_dict=False)[1]
