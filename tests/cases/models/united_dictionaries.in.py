import torch
from torch import nn


def scaled(x: torch.Tensor, factor: float = 1.0, shift: float = 0.0) -> torch.Tensor:
    return x * factor + shift


class Model(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        self.limits = {"factor": 2.0}
        self.steps = nn.Parameter(torch.log(torch.arange(1, width + 1)))

    def inner(self, x: torch.Tensor, **kwargs) -> torch.Tensor:
        options = kwargs | {"shift": 0.5}
        return scaled(x, **options)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        limits = {"factor": 3.0, "shift": 1.0} | self.limits
        return self.inner(x, factor=0.25, shift=2.0) * self.steps + scaled(x, **limits)
