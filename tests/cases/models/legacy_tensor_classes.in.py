from types import SimpleNamespace

import torch
from torch import nn


class Settings(SimpleNamespace):
    pass


class Model(nn.Module):
    """torch.Tensor(n) is n numbers long, whatever says how large n is."""

    def __init__(self, config=None):
        super().__init__()
        config = config or Settings(width=8, rows=[1.0, 2.0])
        self.scale = nn.Parameter(torch.Tensor(config.width).uniform_())
        self.table = nn.Parameter(torch.FloatTensor(2, config.width).normal_())
        self.linear = nn.Linear(8, 8)
        self.linear.requires_grad_()
        self.rows = torch.Tensor(config.rows)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        width = self.linear.in_features * self.linear.out_features
        return self.linear(x) * self.scale + self.table[1] * self.rows[1] / width
