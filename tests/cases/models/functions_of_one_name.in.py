"""Functions of one name for numbers and for tensors, whose runtime functions have one name, too."""

import math

import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, norm=nn.GroupNorm):
        super().__init__()
        self.passed = norm(5, 5)
        self.own = nn.GroupNorm(1, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        size = np.exp(1.0 / x.shape[-1]) + math.tanh(0.5 * x.shape[0])
        return self.own(self.passed(x)) * size + torch.exp(-x.abs()) + torch.tanh(x)
