"""Rotary frequencies of a type that the configuration names."""

import torch
from torch import nn
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS


class Rotary(nn.Module):
    def __init__(self, config, device=None):
        super().__init__()
        self.rope_type = config.rope_parameters["rope_type"]
        function = self.default
        if self.rope_type != "default":
            function = ROPE_INIT_FUNCTIONS[self.rope_type]
        inv_freq, self.scaling = function(config, device)
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    @staticmethod
    def default(config, device=None):
        inv_freq = 1.0 / (config.theta ** (torch.arange(0, 8, 2, dtype=torch.float) / 8))
        return inv_freq.to(device), 1.0

    def forward(self, positions: torch.Tensor) -> torch.Tensor:
        return positions[..., None].float() * self.inv_freq.to(positions.device)
