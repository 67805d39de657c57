import torch
from torch import nn


class Pair(nn.Module):
    def forward(self, first, second=None, *, swap=False):
        if second is None:
            second = torch.zeros_like(first)
        if swap:
            return second, first
        return first, second


pair = Pair()
a = pair(torch.ones(2))
b = pair(torch.ones(2), second=torch.zeros(2))
c = pair(torch.ones(2), torch.zeros(2), swap=True)
