import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(2)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = x
        for i, layer in enumerate(self.layers):
            output = layer(state)
            if i == 0:
                first = output * 2
            for step in range(2):
                part = output + step
            state = output
        return output + first + part * i
