"""Lists and dictionaries of parameters, which keep their names."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(8)) for _ in range(2)])
        self.scales.append(nn.Parameter(torch.zeros(8)))
        self.shifts = nn.ParameterDict({"near": nn.Parameter(torch.zeros(8))})
        self.shifts["far"] = nn.Parameter(torch.ones(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for scale in self.scales:
            x = x * (scale + 1)
        for position in range(len(self.scales)):
            x = x + self.scales[position]
        return x * self.scales[-1] + self.shifts["near"] * self.shifts["far"]
