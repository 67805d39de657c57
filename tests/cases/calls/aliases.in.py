"""Other spellings of the same imports."""

import torch as t
import torch.nn as neural
import torch.nn.functional
from torch import Tensor as T, nn as layers
from torch import add
from torch import relu as rectify, matmul
from torch.nn import functional as fn, Linear
from torch.nn.functional import gelu


class Model(neural.Module):
    def __init__(self):
        super().__init__()
        self.a = layers.Linear(3, 4)
        self.b = Linear(4, 3, bias=False)

    def forward(self, x: T) -> T:
        x = self.b(self.a(x))
        x = add(x, rectify(x)) + matmul(x, x)
        x = fn.gelu(x) + gelu(x) + torch.nn.functional.relu(x)
        return t.cat([x, x], dim=0)
