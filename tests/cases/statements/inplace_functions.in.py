"""Functions that update their first argument in place, and items that are set."""

import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        torch.relu_(x)
        F.relu(x, True)
        h = x + y
        F.relu(h, inplace=True)  # a statement
        h = F.relu(h, inplace=True)
        z = F.relu(h, inplace=True)
        z = F.relu(z + 1, inplace=True)
        z = F.relu(z.view(-1), inplace=True)
        h = F.dropout(h, 0.1, self.training, False)
        y[:, 0] = 0
        y[0] += 1
        h.data = z
        made = torch.zeros(3)
        made[0] = 1
        made.clamp_(
            0,  # at least
            max=1,
        )
        return h + z + made


def outside(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    torch.exp_(y)
    y.hypot_(x)
    nn.init.zeros_(y)
    return y
