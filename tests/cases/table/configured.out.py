"""Models whose constructor's arguments are their configuration, and objects that they call."""

from dataclasses import dataclass
from typing import Any, Dict, Optional

import logging
import mindspore as ms
from mindspore import nn, ops

from .runtime.calling import parameter_names
from .runtime.configured import ConfigMixin, ModelMixin, register_to_config
from .runtime.containers import ModuleList
from .runtime.outputs import ModelOutput, named_output

logger = logging.getLogger(__name__)

SCALE = 2.0


@dataclass
class Result(ModelOutput):
    sample: ms.Tensor


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
            pass
        return self.inner(hidden_states) + temb


class Inner(ModelMixin, ConfigMixin):
    output_class = Result

    @register_to_config
    def __init__(self, width: int = 8, blocks: int = 2, eps: float = 1e-5):
        super().__init__()
        self.attention = Attention(width)
        self.norm = nn.LayerNorm((self.config.width,), epsilon=self.config["eps"])
        self.first = ModuleList()
        self.second = ModuleList()
        for _ in range(blocks):
            self.first.append(Block(width))
            self.second.append(Block(width))

    def construct(self, sample: ms.Tensor, options: Optional[Dict[str, Any]] = None, return_dict: bool = True):
        options = {key: value for key, value in options.items()} if options is not None else {}
        if False or not (">=" in (">", ">=", "!=")):
            return sample
        sample = self.attention(sample, scale=0.5, **options)
        for block in self.first:
            sample = block(sample, sample)
        for block in self.second:
            sample = block(sample, sample)
        sample = self.norm(sample) * self.config.blocks
        if not return_dict:
            return (sample,)
        return named_output(sample=sample)


def packages() -> tuple:
    return (
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
    )
