"""Rotary frequencies of a type that the configuration names."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.rotary import ROPE_INIT_FUNCTIONS


class Rotary(nn.Cell):
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
        inv_freq = 1.0 / (config.theta ** (ops.arange(0, 8, 2, dtype=ms.float32) / 8))
        return inv_freq, 1.0

    def construct(self, positions: ms.Tensor) -> ms.Tensor:
        return positions[..., None].float() * self.inv_freq
