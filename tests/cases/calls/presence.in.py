import torch
import torch.nn.functional as F
from torch import nn

_has_silu = "silu" in dir(torch.nn.functional)
_has_nothing = hasattr(F, "no_such_function")


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if hasattr(torch, "softmax") and _has_silu and not hasattr(x, "no_such_attribute"):
            x = torch.softmax(F.silu(x), -1)
        return x
