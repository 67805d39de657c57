"""Objects that a module calls with itself, calls by keyword of what takes more, lists that grow."""

import logging
from typing import Any, Dict, Optional

import mindspore as ms
from mindspore import nn, ops

from .runtime.calling import parameter_names
from .runtime.containers import ModuleList

SCALE = 2.0
logger = logging.getLogger(__name__)


class Attention(nn.Cell):
    def __init__(self, width: int, processor=None):
        super().__init__()
        self.to_q = nn.Dense(width, width)
        self.set_processor(processor or Processor())

    def set_processor(self, processor):
        self.processor = processor

    def construct(self, hidden_states: ms.Tensor, **kwargs) -> ms.Tensor:
        known = parameter_names(self.processor)
        quiet = ("quiet", "silent",)
        unused = [k for k, _ in kwargs.items() if k not in known and k not in quiet]
        if len(unused) > 0:
            logger.warning(f"{unused} are not expected")
        kwargs = {k: v for k, v in kwargs.items() if k in known}
        return self.processor(self, hidden_states, **kwargs)


class Processor:
    def __init__(self):
        self.factor = SCALE

    def __call__(self, attn: Attention, hidden_states: ms.Tensor, scale: float = 1.0):
        scores = attn.to_q(hidden_states)
        result = ops.relu(scores) * self.factor * scale
        return result


class Block(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Dense(width, width)

    def construct(self, hidden_states: ms.Tensor, temb: Optional[ms.Tensor] = None, *args, **kwargs):
        if len(args) > 0 or kwargs.get("scale", None) is not None:
            temb = temb * 2.0
        return self.inner(hidden_states) + temb


class Model(nn.Cell):
    def __init__(self, width: int = 8):
        super().__init__()
        self.attention = Attention(width)
        self.first = ModuleList()
        self.second = ModuleList()
        for _ in range(2):
            self.first.append(Block(width))
            self.second.extend([Block(width)])

    def construct(self, x: ms.Tensor, options: Optional[Dict[str, Any]] = None):
        options = {key: value for key, value in options.items()} if options is not None else {}
        x = self.attention(x, scale=0.5, **options)
        for block in self.first:
            x = block(x, x)
        for block in self.second:
            x = block(x, x)
        return x
