# mypy: ignore-errors
"""Hold the models of a small zoo: each goes another way."""

from __future__ import annotations

import time

import torch
from no_such_package.layers import Activation, scale
from torch import nn


class Holds(nn.Module):
    """A model that is ported; what its file imports beside torch is not installed."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layer = nn.Linear(width, 3)

    def forward(self, x):
        return torch.tanh(self.layer(x))


class Refused(nn.Module):
    """A model with a place that has to be done by hand."""

    def forward(self, x):
        return torch.bernoulli(x.sigmoid(), generator=torch.Generator())


class Slow(nn.Module):
    """A model that takes longer than it may."""

    def __init__(self) -> None:
        super().__init__()
        time.sleep(600)

    def forward(self, x):
        return x + 1


class Augmented(nn.Module):
    """A model that computes with what is not installed."""

    def forward(self, x):
        return scale(Activation()(x))
