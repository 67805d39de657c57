"""Functions of torch as values, and calls whose arguments only the running code knows."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def cast(*values: object) -> tuple[object, ...]:
    return values


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(8))
        self.shift = nn.Parameter(torch.zeros(8))
        self.resize = partial(F.interpolate, scale_factor=2, mode="nearest")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        given = cast(x, (8,), self.scale + 1.0, self.shift)
        x = F.layer_norm(*given)
        options = {"weight": self.scale, "eps": 0.1 if x.shape[0] > 1 else 0.2}
        return self.resize(F.layer_norm(x, (8,), **options))
