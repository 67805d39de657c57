"""Classes that derive from modules of torch."""

import torch
import torch.nn.functional as F
from torch import nn


class ChannelNorm(nn.LayerNorm):
    def __init__(self, size, *, eps=1e-6, first=True, **kwargs):
        super().__init__(size, eps=eps, **kwargs)
        self.first = first

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.first:
            x = x.permute(0, 2, 3, 1)
            return super().forward(x).permute(0, 3, 1, 2)
        return F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class Positions(nn.Embedding):
    def __init__(self, count: int, width: int):
        self.offset = 2
        super().__init__(count + self.offset, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x + self.offset)


class Scaled(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight * 2.0, self.bias)


class Act(nn.ReLU):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) + 1
