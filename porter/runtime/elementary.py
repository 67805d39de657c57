"""Compute elementary functions that MindSpore spells otherwise, element by element."""

# ruff: noqa: A002

from __future__ import annotations

import math

import mindspore as ms
from mindspore import Tensor, ops


def exp(input: Tensor) -> Tensor:
    """Return the exponentials.

    The kernel of the CPU is off by up to 70 epsilon in float32, and `ops.pow` by 6: a position of
    1000 times such a number, as in the embeddings of timesteps, shows it.
    """
    return ops.pow(math.e, input) if input.dtype == ms.float32 else ops.exp(input)


def copysign(input: Tensor, other: Tensor | float) -> Tensor:
    """Return the sizes of one with the signs of the other."""
    size = ops.abs(input)
    if not isinstance(other, Tensor):
        return -size if math.copysign(1.0, other) < 0 else size
    # A division by zero has a gradient of nan, which a factor of zero does not undo.
    signs = ops.stop_gradient(other)
    negative = ops.logical_or(signs < 0, ops.logical_and(signs == 0, 1.0 / signs < 0))
    return ops.where(negative, -size, size)


def absolute(input: Tensor) -> Tensor:
    """Return the sizes of numbers, of complex ones as real numbers."""
    if input.dtype == ms.complex64 or input.dtype == ms.complex128:
        return ops.real(ops.abs(input))
    return ops.abs(input)


def signbit(input: Tensor) -> Tensor:
    """Return which numbers have the sign bit set, as -0.0 has."""
    if not input.is_floating_point():
        return input < 0
    return ops.logical_or(input < 0, ops.logical_and(input == 0, 1.0 / input < 0))
