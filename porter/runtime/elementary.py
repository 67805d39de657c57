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


def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Return the transform of a signal that is Hermitian in time: an inverse one, not scaled down.

    `n` is the length of the result, `norm` one of backward, ortho and forward.
    """
    opposite = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
    length = 2 * (input.shape[dim] - 1) if n is None else n
    return ops.irfft(ops.conj(input), n=length, dim=dim, norm=opposite)
