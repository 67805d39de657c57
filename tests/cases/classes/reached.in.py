# class: Wanted
"""Only what the wanted class reaches is kept."""

import logging
import math
from typing import Optional

import torch
from torch import nn

from transformers.utils import logging as hf_logging

logger = hf_logging.get_logger(__name__)

SCALE = math.sqrt(2.0)
UNUSED = math.pi
A, B = 1, 2


def helper(x: torch.Tensor) -> torch.Tensor:
    """Used by the block."""
    return x * SCALE


def unused_helper(x):
    return torch.stft(x, 3)


class Unused(nn.Module):
    def forward(self, x):
        return torch.stft(x, 4)


# Comment of the block.
class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return helper(self.layer(x)) + A


# Comment of the wanted class.
class Wanted(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.block = Block(width)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, Unused):
            module.data = 0
        elif isinstance(module, nn.Linear):
            module.weight.data.normal_(mean=0.0, std=0.02)

    def forward(self, x: torch.Tensor, other: Optional["Unused"] = None) -> torch.Tensor:
        return self.block(x)


__all__ = ["Wanted", "Unused"]
