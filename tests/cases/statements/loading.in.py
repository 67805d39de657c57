"""Constructors that load weights, and methods that do."""

import os

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, pretrained: bool = True):
        super().__init__()
        self.linear = nn.Linear(4, 2)
        if pretrained:
            path = os.path.join(os.path.dirname(__file__), "encoder.pt")
            checkpoint = torch.load(path, map_location="cpu")
            state = {name[7:]: value for name, value in checkpoint["model"].items()}
            self.load_state_dict(state, strict=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


class Whole(nn.Module):
    def __init__(self, path: str):
        super().__init__()
        self.encoder = Encoder(False)
        self.encoder.load_state_dict(torch.load(path))
        other = torch.load(path)
        self.step = other["step"]

    def load(self, path: str) -> None:
        self.load_state_dict(torch.load(path))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.encoder(x)
