"""Layers that torch computes again for the gradient, and one with a split weight."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Model(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.layer = nn.utils.parametrizations.weight_norm(nn.Linear(8, 8))
        self.other = nn.utils.weight_norm(nn.Linear(8, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = checkpoint(self.layer, x, use_reentrant=False)
        return torch.utils.checkpoint.checkpoint(self.add, x, self.other(x))

    def add(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + torch.relu(y)
