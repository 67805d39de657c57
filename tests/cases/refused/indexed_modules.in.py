import torch
from torch import nn


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.ones(3))

    def __getitem__(self, index):
        return self.first

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self[0]
