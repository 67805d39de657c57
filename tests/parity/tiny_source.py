# mypy: ignore-errors
"""Hold the PyTorch modules that the parity tests compare hand-written ports with."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Sizes:
    """The sizes of the module, as an object of the source."""

    hidden: int = 6


class Tiny(nn.Module):
    """A masked attention over few values, with each kind of part that has weights."""

    def __init__(self, features: int, sizes: Sizes) -> None:
        super().__init__()
        self.project = nn.Linear(features, sizes.hidden)
        self.norm = nn.LayerNorm(sizes.hidden, eps=1e-3)
        self.register_buffer("shift", torch.full((sizes.hidden,), 0.5))

    def forward(self, x, mask=None, scale=1.0):
        h = self.norm(self.project(x)) + self.shift
        scores = h @ h.transpose(1, 2) * scale
        if mask is not None:
            scores = scores + (1.0 - mask[:, None, :].float()) * -1e4
        h = torch.softmax(scores, dim=-1) @ h
        return h, h.mean(dim=1)

    def pool(self, x):
        return {"pooled": self.project(x).mean(dim=1)}


@dataclass
class Parts:
    """A named output; the second part is there only where it was asked for."""

    hidden: torch.Tensor
    pooled: torch.Tensor | None = None


class Named(nn.Module):
    """A layer with a named output."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.project = nn.Linear(features, 3)

    def forward(self, x, want=False):
        h = torch.sigmoid(self.project(x))
        return Parts(hidden=h, pooled=h.mean(dim=1) if want else None)
