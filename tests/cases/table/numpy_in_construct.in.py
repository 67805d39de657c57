"""NumPy inside forward: operators of the graph take its place, with NumPy's dtypes."""

import numpy as np
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.scale = np.sqrt(width)

    def forward(self, x: torch.Tensor):
        n = x.shape[0]
        mask = torch.from_numpy(np.ones((n, n)))
        lower = torch.from_numpy(np.tril(np.ones((n, n))))
        upper = np.triu(np.ones((n, n)))
        both = np.concatenate([np.ones_like(mask), np.zeros_like(mask)], axis=0)
        more = np.stack([lower, upper], axis=0)
        return x * np.sqrt(x.shape[1]) * self.scale, both, more, np.prod(x.shape)
