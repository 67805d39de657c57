"""Attention of diffusers by whichever backend."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.attention import dispatch_attention
from .runtime.shaping import unflatten


class Model(nn.Cell):
    _backend = None

    def __init__(self):
        super().__init__()
        self.project = nn.Dense(8, 24)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        query, key, value = ops.chunk(unflatten(self.project(x), -1, (6, 4)), 3, axis=2)
        bias = ops.stop_gradient(x[..., 0])
        mixed = dispatch_attention(query, key, value, attn_mask=bias)
        mixed = mixed + dispatch_attention(query, key, value, is_causal=True, scale=0.3)
        return mixed.flatten(start_dim=2, end_dim=3)
