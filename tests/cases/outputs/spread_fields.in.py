"""A result that takes over the fields of another: which there are is not known."""

from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput


@dataclass
class Extended(BaseModelOutput):
    extra: Optional[torch.Tensor] = None


class Inner(nn.Module):
    def forward(self, x: torch.Tensor, **options) -> Extended:
        return Extended(**options, extra=x)


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        outputs = self.inner(x, last_hidden_state=x)
        return outputs[0]
