"""Limits of dtypes."""

import numpy as np
import torch
from torch import nn


class Lowest(nn.Module):
    def forward(self, x: torch.Tensor, ids: torch.Tensor):
        low = torch.finfo(x.dtype).min
        eps = torch.finfo(torch.float32).eps
        return x + low + eps, ids + torch.iinfo(ids.dtype).max, np.finfo(np.float32).max, np.iinfo(np.int32).min
