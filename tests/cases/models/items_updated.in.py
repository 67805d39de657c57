"""Updates in place of parts of a tensor that the function made."""

import torch
from torch import nn


def read(options: dict, name: str):
    return options[name]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = read({"width": 5}, "width")
        self.linear = nn.Linear(8, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        joined = x.new_empty(*x.shape[:-1], self.width + 8)
        joined[..., : self.width].copy_(self.linear(x))
        joined[..., self.width :].copy_(x)
        shifted = joined * 2
        shifted[:, 0].add_(1.0)
        shifted[:, 1 : x.shape[1] - 1, -1].mul_(x[:, :1, 0])
        shifted[0].zero_()
        shifted[:, -1, :2].fill_(3.0)
        return joined + shifted
