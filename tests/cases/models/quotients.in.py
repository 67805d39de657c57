"""Sizes divided by torch are sizes within a graph."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length, width = x.size(1), x.size(2)
        half = torch.div(width, 2, rounding_mode="trunc")
        down = torch.div(length - 9, 3, rounding_mode="floor")
        to_zero = torch.div(length - 9, 3, rounding_mode="trunc")
        parts = x.view(x.size(0), length, half, torch.div(width, half, rounding_mode="floor"))
        return parts.sum(-1) * down + to_zero + torch.div(parts, 2).mean()
