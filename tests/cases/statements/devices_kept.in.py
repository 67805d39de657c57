"""Devices that something reads are kept as their names."""

from typing import Union

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, device: Union[str, torch.device] = None):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        if device is None:
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        elif isinstance(device, str):
            device = torch.device(device)
        self.device = device
        self.to(device)
        print("made on", device.type)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x.to(self.device))


def second(index: int) -> torch.device:
    return torch.device("cuda", index)


def unread(x: torch.Tensor) -> torch.Tensor:
    device = torch.device("cpu")
    return x.to(device)
