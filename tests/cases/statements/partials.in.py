"""Partials of layers and functions that their function calls itself."""

import functools

import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        norm = functools.partial(nn.BatchNorm2d, eps=1e-3, momentum=0.0)
        self.first = norm(width)
        self.second = norm(num_features=width, momentum=-0.5)
        convolution = functools.partial(nn.Conv2d, bias=False, padding=1)
        self.convolution = convolution(width, 2 * width, 3)
        passed_on = functools.partial(nn.LayerNorm, eps=1e-6)
        self.inner = Inner(passed_on)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        act = functools.partial(F.leaky_relu, negative_slope=0.2)
        return self.convolution(act(self.second(self.first(x))))


class Inner(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x)
