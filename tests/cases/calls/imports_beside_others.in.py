"""Imports that share a line, a block or a statement with something else."""
import os; import torch
from torch import nn; PLACE = os
try:
    import torch.nn.functional as F; import json
except ImportError:
    from torch import cat
import torch as tt, \
    string
from .helpers import (
    helper,
    # a comment
    other,
)

if PLACE:
    import torch.utils


class Model(nn.Module):
    def forward(self, x):
        import torch

        if isinstance(x, torch.Tensor): from torch import relu; return relu(x)
        return helper(other(F.relu(torch.cat([x, x], dim=0)))) + string.X + json.Y
