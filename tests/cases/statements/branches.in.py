# class: Model
"""Branches that only classes outside of the port could take."""

import torch
from torch import nn


class Other(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Third(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def first(self, module):
        # above the branch
        if isinstance(module, Other):
            module.a = 1  # gone
        elif isinstance(module, nn.Linear):
            module.b = 2  # first
        else:
            module.c = 3

    def middle(self, module):
        if isinstance(module, nn.Linear):
            module.b = 2
        elif isinstance(module, (Other, Third)):
            module.a = 1
        elif isinstance(module, nn.LayerNorm):
            module.c = 3

    def last(self, module):
        if isinstance(module, nn.Linear):
            module.b = 2
        elif isinstance(module, Other):
            module.a = 1
        else:
            module.c = 3

    def very_last(self, module):
        if isinstance(module, nn.Linear):
            module.b = 2
        elif isinstance(module, Other):
            module.a = 1

    def only(self, module):
        if isinstance(module, Other):
            module.a = 1

    def mixed(self, module):
        if isinstance(module, (Other, nn.Linear)):
            module.a = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)
