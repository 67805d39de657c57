"""Methods that call the module as a whole work on the host, and so does what only they use."""

import numpy as np
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.scaled(self.linear(x))

    def scaled(self, x: torch.Tensor) -> torch.Tensor:
        return x / torch.norm(x, dim=1, keepdim=True)

    @staticmethod
    def steps(count: int, rate: float) -> list:
        step = int(np.round(count / rate))
        return [slice(*np.array([i, i + step])) for i in range(0, count, step)]

    def embed(self, values: np.ndarray) -> np.ndarray:
        parts = np.array([values[s] for s in self.steps(len(values), 2.0)])
        with torch.no_grad():
            result = self(torch.from_numpy(parts)).cpu().numpy()
        return self.scaled(np.mean(result, axis=0).astype(np.float32))

    def embed_all(self, many: list) -> np.ndarray:
        return np.mean([self.embed(values) for values in many], axis=0)

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.linear(x))
