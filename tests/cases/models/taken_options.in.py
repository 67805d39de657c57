import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, **kwargs) -> torch.Tensor:
        scale = kwargs.pop("scale", 2.0)
        kwargs.pop("unused", None)
        if "scale" in kwargs:
            scale = 100.0
        return self.linear(x) * scale + kwargs.get("shift", 0.0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x, scale=3.0, unused=1) + self.layer(x, shift=1.0)
