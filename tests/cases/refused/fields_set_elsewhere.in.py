from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Parts:
    hidden: torch.Tensor
    pooled: torch.Tensor | None = None


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = Parts(hidden=x, pooled=x)
        other = parts
        parts.pooled = x * 2
        kept = []
        more = Parts(hidden=x, pooled=x)
        kept.append(more)
        more.pooled = x * 3
        return other.pooled + kept[0].pooled
