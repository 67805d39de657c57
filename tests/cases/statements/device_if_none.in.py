"""A device that is taken from a tensor where none was given."""

import torch
from torch import nn


class Bias(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 2)

    def forward(self, length: int, device=None) -> torch.Tensor:
        if device is None:
            device = self.table.weight.device
        positions = torch.arange(length, dtype=torch.long, device=device)
        return self.table(positions)
