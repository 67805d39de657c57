"""Augmented assignment on tensors, and on all else."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        total = 0
        total += 1
        x += y
        z = torch.relu(x)
        z *= y + 1  # scaled
        z -= y if total else x
        z /= 2
        z @= torch.transpose(y, 0, 1)
        sizes = [1]
        sizes += [x.size(0)]
        z[0] += y[0]
        self.count += 1
        return z
