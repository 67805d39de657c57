"""Methods that update a tensor in place."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        fresh = torch.relu(x)
        fresh.add_(y)
        fresh.mul_(2).add_(1)
        alias = fresh
        alias.sub_(y)
        x.add_(y)  # the caller's tensor
        part = x.view(-1)
        part.mul_(2)
        self.scale.mul_(2)
        fresh[0].zero_()
        z = fresh.clamp_(min=0.0)
        z = torch.relu(z)
        z.add_(y).mul_(2)
        z.zero_()
        return z + part


class Rebound(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x = torch.relu(x)
        x.add_(y)  # nobody else has it
        x += y
        kept = [x]
        y.requires_grad_(False)
        h = torch.relu(x)
        first = h
        h += y  # first would see it
        return x + y + h + first + kept[0]
