"""NumPy's names of parameters, tensors made to be filled, and modules from a generator."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, count: int):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(count))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        filled = torch.zeros_like(x).add_(2)
        bounded = (x + filled).clamp_(min=0)
        for layer in self.layers:
            x = layer(x)
        return x.sum(axis=1, keepdims=True) + torch.mean(bounded, axis=-1, keepdims=True)
