import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        options = {"normalized_shape": (4,), "weight": self.weight, "eps": 1e-3}
        plain = {"weight": self.weight, "eps": 1e-3}
        y = F.layer_norm(x, (4,), **plain)
        changed = {"dim": 1}
        changed["keepdim"] = True
        size = 4
        late = {"normalized_shape": size}
        size = 3
        return y + F.layer_norm(x, **options) + x.sum(**changed) + F.layer_norm(x, **late)
