"""Packages that a port does not have, decorators that take note, updates that are given back."""

import torch
import torch.nn.functional as F
from torch import _assert, nn
from torch.utils.checkpoint import checkpoint

try:
    from apex.normalization import fused_norm

    has_fused = True
except ImportError:
    has_fused = False

if hasattr(nn, "SiLU"):
    Swish = nn.SiLU
else:

    class Swish(nn.Module):
        def forward(self, x):
            return x * torch.sigmoid(x)


noted = set()
WIDTHS = {}
WIDTHS["small"] = 8


def takes_note(function):
    noted.add(function)
    return function


def named(name):
    def decorate(cls):
        noted.add(name)
        return cls

    return decorate


@takes_note
def softened(x: torch.Tensor, inplace: bool = False):
    return x.mul_(x.sigmoid()) if inplace else x.mul(x.sigmoid())


def shifted(x):
    return x.add_(3.0).clamp_(0.0, 6.0).div_(6.0)


def device_kind(device: str):
    try:
        return torch.is_autocast_enabled(device)
    except TypeError:
        return torch.is_autocast_enabled()


@named("norm")
class Norm(nn.Module):
    def __init__(self, width, act_layer=nn.Softplus, pool=nn.AvgPool1d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.act = act_layer()
        self.pool = pool(3, 1, 1)
        self.start()

    def start(self):
        self.weight.mul_(2.0) if False else nn.init.ones_(self.weight)

    def forward(self, x):
        if has_fused:
            x = fused_norm(x, self.weight)
        else:
            x = F.layer_norm(x, self.weight.shape, self.weight, eps=0.1)
        if device_kind("cpu"):
            x = x * 2.0
        return self.act(self.pool(x))


class Model(nn.Module):
    def __init__(self, width: int = WIDTHS["small"]):
        super().__init__()
        self.width = width
        for stage in [("first", nn.Linear(width, width)), ("second", Swish())]:
            self.add_module(*stage)
        self.norm = Norm(width)

    def kept(self):
        return {"norm", *noted}

    def forward(self, x: torch.Tensor):
        _assert(x.shape[-1] == self.width, f"{x.shape[-1]} is no width of {self.width}")
        torch._assert(x.sum() < 1e9, "too large")
        x = self.second(self.first(x))
        options = {"inplace": False}
        x = checkpoint(softened, x, use_reentrant=False, **options)
        x = shifted(x * 1.0)
        x.mul_(2.0).add_(1.0)
        return self.norm(x)
