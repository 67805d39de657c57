"""Numbers and small tables that a forward computes with math and NumPy."""

import math

import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        width = x.shape[-1]
        half = math.ceil(width / 3) + math.floor(x.shape[1] / 2) * math.pow(width, 0.5)
        rounded = np.floor(width / 3) + np.ceil(-width / 3) + np.abs(-width) + np.square(width)
        curves = np.cos(width) + np.sin(0.5) * np.tanh(0.25) + np.exp(-0.5) + math.tanh(0.5)
        logs = np.log(width) + np.log2(width) + np.log10(100.0) + math.log(width) + math.log(8, 2)
        steps = torch.from_numpy(np.linspace(0.0, 1.0, 4, dtype=np.float32))
        table = torch.from_numpy(np.sqrt(np.ones((4,), np.float32) * 2.0) + np.e - np.pi)
        scale = half * rounded + curves * logs * np.sqrt(width) + math.e - math.tau
        return self.layer(x) * steps * table + scale
