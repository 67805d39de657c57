"""What only the initialization of weights calls works on the host, with NumPy."""

import numpy as np
import torch
from torch import nn


class Sinusoids(nn.Embedding):
    def __init__(self, positions: int, width: int):
        super().__init__(positions, width, _freeze=True)

    def create_weight(self) -> torch.Tensor:
        positions, width = self.weight.shape
        angles = np.array([[p / np.power(100, i / width) for i in range(width)] for p in range(positions)])
        return torch.FloatTensor(np.sin(angles))

    def forward(self, length: int) -> torch.Tensor:
        return super().forward(torch.arange(length))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = Sinusoids(8, 4)
        self._init_weights(self.positions)

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, Sinusoids):
            with torch.no_grad():
                module.weight.copy_(module.create_weight())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.positions(x.shape[1])
