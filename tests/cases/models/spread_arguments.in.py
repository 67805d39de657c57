import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        device = x.device
        options = {"weight": self.weight, "eps": 1e-3}
        y = F.layer_norm(x, (8,), **options)
        if device.type == "cuda":
            y = y * 2
        shifted = torch.zeros(x.shape, device=device)
        if self.training:
            shifted.requires_grad = True
        return F.layer_norm(y * 2 + shifted, (8,), **options)
