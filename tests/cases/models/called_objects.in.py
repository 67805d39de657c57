"""Objects that a module calls with itself, calls by keyword of what takes more, lists that grow."""

import inspect
import logging
from typing import Any, Dict, Optional

import torch
from torch import nn

SCALE = 2.0
logger = logging.getLogger(__name__)


class Attention(nn.Module):
    def __init__(self, width: int, processor=None):
        super().__init__()
        self.to_q = nn.Linear(width, width)
        self.set_processor(processor or Processor())

    def set_processor(self, processor):
        self.processor = processor

    def forward(self, hidden_states: torch.Tensor, **kwargs) -> torch.Tensor:
        known = set(inspect.signature(self.processor.__call__).parameters.keys())
        quiet = {"quiet", "silent"}
        unused = [k for k, _ in kwargs.items() if k not in known and k not in quiet]
        if len(unused) > 0:
            logger.warning(f"{unused} are not expected")
        kwargs = {k: v for k, v in kwargs.items() if k in known}
        return self.processor(self, hidden_states, **kwargs)


class Processor:
    def __init__(self):
        self.factor = SCALE

    def __call__(self, attn: Attention, hidden_states: torch.Tensor, scale: float = 1.0):
        scores = attn.to_q(hidden_states)
        result = torch.relu(scores) * self.factor * scale
        del scores
        return result


class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, hidden_states: torch.Tensor, temb: Optional[torch.Tensor] = None, *args, **kwargs):
        if len(args) > 0 or kwargs.get("scale", None) is not None:
            temb = temb * 2.0
        return self.inner(hidden_states) + temb


class Model(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        self.attention = Attention(width)
        self.first = nn.ModuleList([])
        self.second = nn.ModuleList()
        for _ in range(2):
            self.first.append(Block(width))
            self.second.extend([Block(width)])

    def forward(self, x: torch.Tensor, options: Optional[Dict[str, Any]] = None):
        options = options.copy() if options is not None else {}
        x = self.attention(x, scale=0.5, **options)
        for block in self.first:
            x = block(hidden_states=x, temb=x)
        for block in self.second:
            x = block(temb=x, hidden_states=x)
        return x
