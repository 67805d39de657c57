"""Compute what torch.nn.functional computes where no single MindSpore call is right.

Inside the graph, with the parameters and the defaults of torch.
"""

# ruff: noqa: A002

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops


def tanh(input: Tensor) -> Tensor:
    """Return the hyperbolic tangent to float32 noise, with the gradient of torch.tanh.

    The float32 kernel of `ops.tanh` on CPU is off by 1e-4; the sigmoid's is not.
    """
    if input.dtype == ms.float64:
        return ops.tanh(input)
    wide = 2.0 * ops.sigmoid(2.0 * input.astype(ms.float32)) - 1.0
    if input.dtype == ms.float16 or input.dtype == ms.bfloat16:
        return wide.astype(input.dtype)
    return wide
