"""Functions of torch.nn.init, the ones of old names too."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.convolution = nn.Conv1d(2, 2, 3)
        nn.init.orthogonal_(self.layer.weight, gain=2.0)
        nn.init.orthogonal(self.layer.weight)
        nn.init.eye_(self.layer.weight)
        nn.init.sparse_(self.layer.weight, 0.5, std=0.1)
        nn.init.dirac_(self.convolution.weight)
        nn.init.constant(self.layer.bias, 0.5)
        nn.init.uniform(self.layer.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)
