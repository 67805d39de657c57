"""The weight of a convolution over one axis, and something unknown that goes to a device."""

import torch
import torch.nn.functional as F
from torch import nn


def kept(values: dict, name: str):
    return values[name]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(5, 5, 3, groups=5, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.conv1d(x, self.conv.weight.squeeze(1).unsqueeze(1), groups=5)
        z = kept({"value": y}, "value")
        return self.conv(x) + 2 * z.to(x.device) - z.to(kept({"other": z}, "other").device)
