"""Device variables, which have no use in a port."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        device = x.device
        dtype, other = x.dtype, x.device
        mask = torch.ones(x.size(0), 1, dtype=dtype, device=device)
        mask = mask.to(device=other).to(x.device, dtype)
        return (x * mask).to(device)


class Kept(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        device = x.device
        if device.type == "cuda":
            x = torch.relu(x)
        return x.cuda().cpu().contiguous()
