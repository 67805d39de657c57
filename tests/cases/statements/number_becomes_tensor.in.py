"""A number that tensors are added to is updated in no place that others see."""

import torch
from torch import nn


class Buckets(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = 0
        total += (x > 0).to(torch.long) * 2
        other = x
        other += total
        return other
