"""Models whose constructor's arguments are their configuration, and objects that they call."""

import inspect
from dataclasses import dataclass
from typing import Any, Dict, Optional

import torch
from diffusers.configuration_utils import ConfigMixin, register_to_config
from diffusers.models.modeling_utils import ModelMixin
from diffusers.utils import BaseOutput, deprecate, is_torch_available, is_torch_version, logging
from diffusers.utils import (
    is_accelerate_available,
    is_bitsandbytes_available,
    is_flash_attn_3_available,
    is_flash_attn_available,
    is_flashinfer_available,
    is_gguf_available,
    is_hpu_available,
    is_kernels_available,
    is_nvidia_modelopt_available,
    is_optimum_quanto_available,
    is_peft_available,
    is_sageattention_available,
    is_torch_mlu_available,
    is_torch_neuronx_available,
    is_torch_npu_available,
    is_torch_tpu_available,
    is_torch_xla_available,
    is_torchao_available,
    is_xformers_available,
)
from torch import nn

logger = logging.get_logger(__name__)

if is_torch_available():
    SCALE = 2.0


@dataclass
class Result(BaseOutput):
    sample: torch.Tensor


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
            deprecate("scale", "1.0.0", "it is ignored")
        return self.inner(hidden_states) + temb


class Inner(ModelMixin, ConfigMixin):
    _supports_gradient_checkpointing = True

    @register_to_config
    def __init__(self, width: int = 8, blocks: int = 2, eps: float = 1e-5):
        super().__init__()
        self.attention = Attention(width)
        self.norm = nn.LayerNorm(self.config.width, eps=self.config["eps"])
        self.first = nn.ModuleList([])
        self.second = nn.ModuleList()
        for _ in range(blocks):
            self.first.append(Block(width))
            self.second.append(Block(width))

    def forward(self, sample: torch.Tensor, options: Optional[Dict[str, Any]] = None, return_dict: bool = True):
        options = options.copy() if options is not None else {}
        if is_xformers_available() or not is_torch_version(">=", "1.0"):
            return sample
        sample = self.attention(sample, scale=0.5, **options)
        for block in self.first:
            sample = block(hidden_states=sample, temb=sample)
        for block in self.second:
            sample = block(hidden_states=sample, temb=sample)
        sample = self.norm(sample) * self.config.blocks
        if not return_dict:
            return (sample,)
        return Result(sample=sample)


def packages() -> tuple:
    return (
        is_accelerate_available(),
        is_bitsandbytes_available(),
        is_flash_attn_3_available(),
        is_flash_attn_available(),
        is_flashinfer_available(),
        is_gguf_available(),
        is_hpu_available(),
        is_kernels_available(),
        is_nvidia_modelopt_available(),
        is_optimum_quanto_available(),
        is_peft_available(),
        is_sageattention_available(),
        is_torch_mlu_available(),
        is_torch_neuronx_available(),
        is_torch_npu_available(),
        is_torch_tpu_available(),
        is_torch_xla_available(),
        is_torchao_available(),
    )
