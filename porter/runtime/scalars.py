"""Compute with numbers as NumPy does, and spread them over a line.

Lengths that are not known while compiling are rounded too; other functions want a known number.
"""

from __future__ import annotations

import math
from typing import Any

import mindspore as ms
from mindspore import Tensor, ops


def floor(value: float) -> int:
    """Return the largest whole number that is not above the value."""
    return int(value // 1)


def ceil(value: float) -> int:
    """Return the smallest whole number that is not below the value."""
    return -int(-value // 1)


def quotient(dividend: int, divisor: int) -> int:
    """Return the quotient of two whole numbers without its fraction, as C and torch round it."""
    if (dividend < 0) == (divisor < 0):
        return dividend // divisor
    return -(-dividend // divisor)


def linspace(
    start: float, stop: float, num: int = 50, endpoint: bool = True, dtype: ms.Type = ms.float64
) -> Tensor:
    """Return numbers at equal steps, computed in float64 as NumPy does."""
    steps = num - 1 if endpoint else num
    places = ops.arange(0, num).astype(ms.float64)
    return (places * ((stop - start) / max(steps, 1)) + start).astype(dtype)


def exp(value: float) -> float:
    """Return the exponential."""
    return math.exp(value)


def log(value: float) -> float:
    """Return the natural logarithm."""
    return math.log(value)


def log2(value: float) -> float:
    """Return the logarithm to base 2."""
    return math.log2(value)


def log10(value: float) -> float:
    """Return the logarithm to base 10."""
    return math.log10(value)


def cos(value: float) -> float:
    """Return the cosine."""
    return math.cos(value)


def sin(value: float) -> float:
    """Return the sine."""
    return math.sin(value)


def tanh(value: float) -> float:
    """Return the hyperbolic tangent."""
    return math.tanh(value)


def require(condition: Any, message: str) -> None:
    """Raise AssertionError where a condition is false; one of a tensor's values is not asked."""
    if isinstance(condition, Tensor):
        return
    assert condition, message
