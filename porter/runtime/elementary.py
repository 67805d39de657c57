"""Compute elementary functions that MindSpore spells otherwise, element by element."""

# ruff: noqa: A002

from __future__ import annotations

import math

import mindspore as ms
from mindspore import Tensor, ops


def angle(input: Tensor) -> Tensor:
    """Return 0 for numbers that are not negative and pi for negative ones."""
    value = input if input.is_floating_point() else input.astype(ms.float32)
    turned = ops.where(value < 0, ops.full_like(value, math.pi), ops.zeros_like(value))
    return ops.where(ops.isnan(value), value, turned)


def copysign(input: Tensor, other: Tensor | float) -> Tensor:
    """Return the sizes of one with the signs of the other."""
    size = ops.abs(input)
    if not isinstance(other, Tensor):
        return -size if math.copysign(1.0, other) < 0 else size
    negative = ops.logical_or(other < 0, ops.logical_and(other == 0, 1.0 / other < 0))
    return ops.where(negative, -size, size)


def xlogy(input: Tensor, other: Tensor) -> Tensor:
    """Return x log y, 0 where x is 0."""
    safe = ops.where(input == 0, ops.ones_like(other), other)
    return ops.where(input == 0, ops.zeros_like(input), input * ops.log(safe))
