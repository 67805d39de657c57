"""Parameters of a model."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.fixed = nn.Parameter(torch.zeros(1, width), requires_grad=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight + self.fixed
