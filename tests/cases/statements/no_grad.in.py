"""Contexts that vanish, and one that stays."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    @torch.no_grad()
    def decorated(self, x: torch.Tensor):
        return self.layer(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # why gradients are off
        with torch.no_grad():
            # inside
            y = self.layer(x)
            if x.size(0) > 1:
                y = torch.relu(y)
        with torch.no_grad(): z = torch.relu(y)
        with torch.set_grad_enabled(False):
            a, b = z.chunk(2, -1)
            count: int = x.size(0)
            self.last = a
            z *= 2
            z.add_(1)
        with torch.set_grad_enabled(True):
            c = z * count
        return y + z + a + b + c


def outside(path, x: torch.Tensor):
    with open(path) as handle, torch.no_grad():
        torch.relu(x)
        return handle.read()
