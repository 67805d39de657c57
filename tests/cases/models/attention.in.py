"""A block of attention, as models write it."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    """Attend over the positions of a sequence."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.size = width // heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)

    def split(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.size()
        return x.view(batch, length, self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(self.size)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
        weights = self.dropout(F.softmax(scores, dim=-1))
        context = torch.matmul(weights, value).permute(0, 2, 1, 3).contiguous()
        return self.output(context.view(*context.size()[:-2], -1))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Attention(8, 2) for _ in range(2)])
        self.head = nn.Linear(8, 3, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = x + layer(x)
        x = F.gelu(self.head(x))
        x *= 2
        with torch.no_grad():
            scale = torch.tanh(x.sum(dim=1, keepdim=True))
        return torch.cat([x, -x.flip(1)], dim=1) * (scale + 1)
