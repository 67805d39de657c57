"""Truth values that exclude each other."""

import torch
from torch import nn
from transformers.generation import GenerationMixin


class Model(nn.Module, GenerationMixin):
    def forward(self, ids: torch.Tensor | None = None, embeds: torch.Tensor | None = None):
        if (ids is None) ^ (embeds is not None):
            raise ValueError("one of both")
        if not (ids is None or embeds is None) ^ True:
            return ids
        return ids ^ 3
