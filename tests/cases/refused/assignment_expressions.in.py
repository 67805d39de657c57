import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, other=None) -> torch.Tensor:
        if other is not None and (n := other.size(0)) > 1:
            x = x * n
        y = [m * 2 for i in range(2) if (m := x + i) is not None]
        z = torch.relu(x) + (x := x + 1)
        while (n := x.size(0)) > 3:
            x = x[1:]
        return x + y[0] + z + n
