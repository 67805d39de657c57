"""Names of the source that the port would take for its own imports."""

import torch
from torch import nn

ops = ["a", "b"]


def ms(x: torch.Tensor):
    return torch.cat([x, x], dim=0), ops


class Model(nn.Module):
    def __init__(self, mint):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.mint = mint

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.layer(x), x], dim=1).to(torch.float32)
