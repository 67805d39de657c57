import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.linear(x)
        parts = [y[:, :4][:, row::2, col::2] for col in range(2) for row in range(2)]
        sums = tuple(
            a.sum(1) * i + j + k
            for i, a in enumerate(parts)
            for j in range(2)
            if i != j
            for k in range(2)
        )
        return torch.cat(parts, dim=-1).sum(1) + torch.cat(sums, dim=-1)[:, :16]
