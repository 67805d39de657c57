"""Layers and functions of einops, whose axes are keywords of any name."""

import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange, Reduce
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.split = nn.Sequential(Rearrange("b n (h d) -> b h n d", h=2), nn.Linear(4, 3))
        self.pool = Reduce("b (n m) d -> b n d", "mean", m=5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        heads = self.split(x)
        joined = rearrange(heads, "b h n d -> b n (h d)")
        token = repeat(self.pool(joined), "b 1 d -> b n d", n=2)
        return torch.cat((joined, token), dim=1)
