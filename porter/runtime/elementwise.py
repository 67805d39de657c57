"""Compute torch's elementwise functions that no single MindSpore call computes right."""

# ruff: noqa: A002

from __future__ import annotations

import math

import mindspore as ms
from mindspore import Tensor, ops


def tanh(input: Tensor) -> Tensor:
    """Return the hyperbolic tangent to float32 rounding, with the gradient of torch.tanh.

    The float32 kernel of `ops.tanh` on CPU is off by 1e-4, and 2 sigmoid(2x) - 1 loses its digits
    near 0. There the Pade approximant of order [5/6] is exact to rounding.
    """
    if input.dtype == ms.float64:
        return ops.tanh(input)
    wide = input.astype(ms.float32)
    size = ops.abs(wide)
    near = size < 1.0
    # Both branches of `where` must stay finite: a gradient of inf times zero is nan.
    low = ops.where(near, wide, ops.zeros_like(wide))
    square = low * low
    above = low * (10395.0 + square * (1260.0 + square * 21.0))
    below = 10395.0 + square * (4725.0 + square * (210.0 + square))
    high = ops.where(near, ops.ones_like(wide), ops.minimum(size, 20.0))
    far = ops.sign(wide) * (1.0 - 2.0 / (ops.exp(2.0 * high) + 1.0))
    result = ops.where(near, above / below, far)
    result = ops.where(wide == wide, result, wide)  # not a number stays one
    if input.dtype == ms.float16 or input.dtype == ms.bfloat16:
        return result.astype(input.dtype)
    return result


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Return the exact GELU, or its tanh approximation with `approximate="tanh"`."""
    if approximate == "none":
        return ops.gelu(input)
    if approximate != "tanh":
        raise ValueError(f"approximate is 'none' or 'tanh', not {approximate!r}")
    inner = math.sqrt(2.0 / math.pi) * (input + 0.044715 * input * input * input)
    return 0.5 * input * (1.0 + tanh(inner))


def log1p(input: Tensor) -> Tensor:
    """Return log(1 + input), exact to rounding near 0, where `ops.log1p` loses its digits."""
    ratio = input / (2.0 + input)
    square = ratio * ratio
    series = 1.0 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7)))
    near = ops.abs(input) < 0.25
    # Both branches of `where` must stay finite: a gradient of inf times zero is nan.
    far = ops.log(1.0 + ops.where(near, ops.zeros_like(input), input))
    return ops.where(near, 2.0 * ratio * series, far)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """Return log(1 + exp(beta * input)) / beta, the input itself above the threshold."""
    scaled = beta * input
    bounded = ops.where(scaled > threshold, ops.zeros_like(scaled), scaled)
    return ops.where(scaled > threshold, input, log1p(ops.exp(bounded)) / beta)


def mish(input: Tensor) -> Tensor:
    """Return input * tanh(softplus(input))."""
    return input * tanh(softplus(input))


def elu(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Return the input, and alpha (exp(input) - 1) below 0."""
    # Not `ops.minimum(input, 0)`: its gradient at 0 is one half.
    bounded = ops.where(input > 0, ops.zeros_like(input), input)
    return ops.where(input > 0, input, alpha * (ops.exp(bounded) - 1.0))


def selu(input: Tensor) -> Tensor:
    """Return the scaled ELU; the gradient of `ops.selu` is wrong."""
    # Not `ops.minimum(input, 0)`: its gradient at 0 is one half.
    bounded = ops.where(input > 0, ops.zeros_like(input), input)
    negative = 1.6732632423543772 * (ops.exp(bounded) - 1.0)
    return 1.0507009873554805 * ops.where(input > 0, input, negative)


def bitwise_not(input: Tensor) -> Tensor:
    """Return the input with every bit turned; `~` of an integer tensor gives booleans."""
    if input.dtype == ms.bool_:
        return ops.logical_not(input)
    return ops.bitwise_xor(input, -1)


def lerp(input: Tensor, end: Tensor, weight: float | Tensor) -> Tensor:
    """Return the value on the way between two others; the kernel has no float64."""
    if input.dtype == ms.float64:
        return input + weight * (end - input)
    return ops.lerp(input, end, weight)


def xlogy(input: Tensor, other: Tensor) -> Tensor:
    """Return input * log(other), and 0 where input is 0 and other is not nan."""
    zero = ops.logical_and(input == 0, other == other)
    return ops.where(zero, ops.zeros_like(input), input * ops.log(ops.where(zero, 1.0, other)))


def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    """Return int64 [..., num_classes] with a 1 at each index.

    Without `num_classes` it is the largest index and one, which no graph knows.
    """
    count = num_classes if num_classes >= 1 else int(input.max()) + 1
    classes = ops.arange(0, count).astype(input.dtype)
    return (input.expand_dims(-1) == classes).astype(ms.int64)
