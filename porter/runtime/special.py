"""Compute torch's special functions that no single MindSpore call computes right."""

# ruff: noqa: A002

from __future__ import annotations

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from .elementwise import log1p


def angle(input: Tensor) -> Tensor:
    """Return the angle of complex numbers in the plane: of real ones 0, or pi below 0."""
    if input.is_complex():
        return ops.angle(input)
    value = input if input.is_floating_point() else input.astype(ms.float32)
    zeros = ops.zeros_like(value)
    result = ops.where(value < 0, zeros + math.pi, zeros)
    return ops.where(value == value, result, float("nan"))


def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """Return log(exp(input) + exp(other)); two equal infinities stay what they are."""
    equal = input == other
    # Both branches of `where` must stay finite: a gradient of inf times zero is nan.
    gap = ops.where(equal, 0.0, input) - ops.where(equal, 0.0, other)
    larger = ops.maximum(ops.where(equal, 0.0, input), ops.where(equal, 0.0, other))
    apart = larger + log1p(ops.exp(-ops.abs(gap)))
    return ops.where(equal, (input + other) * 0.5 + math.log(2.0), apart)


def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """Return log2(2 ** input + 2 ** other); two equal infinities stay what they are."""
    scale = math.log(2.0)
    return logaddexp(input * scale, other * scale) / scale


def entr(input: Tensor) -> Tensor:
    """Return -input * log(input), 0 at 0 and minus infinity below."""
    value = _floating(input)
    inside = value > 0
    product = -value * ops.log(ops.where(inside, value, ops.ones_like(value)))
    result = ops.where(inside, product, ops.where(value == 0, 0.0, float("-inf")))
    return ops.where(value == value, result, value)


def xlog1py(input: Tensor | float, other: Tensor | float) -> Tensor:
    """Return input * log1p(other), and 0 where input is 0 and other is not nan."""
    first = ops.zeros_like(other) + input if isinstance(input, (int, float)) else input
    second = ops.zeros_like(first) + other
    zero = ops.logical_and(first == 0, second == second)
    factor = log1p(ops.where(zero, ops.zeros_like(second), second))
    return ops.where(zero, ops.zeros_like(first * factor), first * factor)


def erfcx(input: Tensor) -> Tensor:
    """Return exp(input ** 2) * erfc(input), from a continued fraction where erfc vanishes."""
    value = _floating(input)
    wide = value.astype(ms.float64)
    far = wide > 5.0
    near = ops.where(far, ops.zeros_like(wide), wide)
    place = ops.where(far, wide, ops.ones_like(wide) * 6.0)
    below = place
    for step in range(20, 0, -1):
        below = place + (0.5 * step) / below
    result = ops.where(
        far, 1.0 / (math.sqrt(math.pi) * below), ops.exp(near * near) * ops.erfc(near)
    )
    return result.astype(value.dtype)


def log_ndtr(input: Tensor) -> Tensor:
    """Return the logarithm of the area below the normal density left of the input."""
    value = _floating(input)
    scaled = value.astype(ms.float64) * math.sqrt(0.5)
    low = scaled < -1.0
    tail = ops.where(low, scaled, -ops.ones_like(scaled))
    left = ops.log(erfcx(-tail) / 2.0) - tail * tail
    right = log1p(-ops.erfc(ops.where(low, ops.zeros_like(scaled), scaled)) / 2.0)
    return ops.where(low, left, right).astype(value.dtype)


def ndtri(input: Tensor) -> Tensor:
    """Return the place left of which a share of the normal density lies."""
    value = _floating(input)
    wide = value.astype(ms.float64)
    tail = ops.where(wide < 0.5, wide, 1.0 - wide)
    return _normal_quantile(wide - 0.5, tail).astype(value.dtype)


def erfinv(input: Tensor) -> Tensor:
    """Return the inverse of the error function; the kernel of `ops.erfinv` is off by 1 percent."""
    value = _floating(input)
    wide = value.astype(ms.float64)
    tail = (1.0 - ops.abs(wide)) * 0.5
    return (_normal_quantile(wide * 0.5, tail) * math.sqrt(0.5)).astype(value.dtype)


def _normal_quantile(offset: Tensor, tail: Tensor) -> Tensor:
    """Return the quantile of the normal distribution at 0.5 + offset, to 1e-9 (P. J. Acklam).

    `tail` is the share beyond it: 0.5 less the size of the offset.
    """
    central = tail > 0.02425
    square = ops.where(central, offset * offset, ops.zeros_like(offset))
    above = _horner(square, CENTRAL_ABOVE) * offset
    middle = above / _horner(square, CENTRAL_BELOW)
    inside = ops.logical_and(tail > 0, ops.logical_not(central))
    depth = ops.sqrt(-2.0 * ops.log(ops.where(inside, tail, ops.ones_like(tail) * 0.02)))
    far = -ops.sign(offset) * _horner(depth, TAIL_ABOVE) / _horner(depth, TAIL_BELOW)
    edge = ops.where(tail == 0, ops.sign(offset) * float("inf"), float("nan"))
    return ops.where(central, middle, ops.where(inside, far, edge))


def _exact(*coefficients: float) -> tuple[tuple[float, float], ...]:
    """Return numbers in two parts each: MindSpore rounds one beside a tensor to float32."""
    rounded = [float(np.float32(coefficient)) for coefficient in coefficients]
    return tuple(zip(rounded, np.subtract(coefficients, rounded).tolist(), strict=True))


CENTRAL_ABOVE = _exact(
    -3.969683028665376e01,
    2.209460984245205e02,
    -2.759285104469687e02,
    1.383577518672690e02,
    -3.066479806614716e01,
    2.506628277459239e00,
)
CENTRAL_BELOW = _exact(
    -5.447609879822406e01,
    1.615858368580409e02,
    -1.556989798598866e02,
    6.680131188771972e01,
    -1.328068155288572e01,
    1.0,
)
TAIL_ABOVE = _exact(
    -7.784894002430293e-03,
    -3.223964580411365e-01,
    -2.400758277161838e00,
    -2.549732539343734e00,
    4.374664141464968e00,
    2.938163982698783e00,
)
TAIL_BELOW = _exact(
    7.784695709041462e-03,
    3.224671290700398e-01,
    2.445134137142996e00,
    3.754408661907416e00,
    1.0,
)


def _horner(value: Tensor, coefficients: tuple[tuple[float, float], ...]) -> Tensor:
    """Return a polynomial's values; its coefficients come from the highest power down."""
    result = ops.zeros_like(value)
    for high, low in coefficients:
        result = result * value + high + low
    return result


def spherical_bessel_j0(input: Tensor) -> Tensor:
    """Return sin(input) / input, and 1 at 0."""
    value = _floating(input)
    near = ops.abs(value) < 0.5
    square = ops.where(near, value * value, ops.zeros_like(value))
    series = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
    safe = ops.where(near, ops.ones_like(value), value)
    return ops.where(near, series, ops.sin(safe) / safe)


def _floating(input: Tensor) -> Tensor:
    """Return whole numbers as float32, and other tensors as they are."""
    return input if input.is_floating_point() else input.astype(ms.float32)


def chebyshev_polynomial(input: Tensor, n: int, kind: str, shifted: bool = False) -> Tensor:
    """Return a Chebyshev polynomial of degree n of the kind t, u, v or w."""
    value = _floating(input)
    value = 2.0 * value - 1.0 if shifted else value
    start = {"t": value, "u": 2.0 * value, "v": 2.0 * value - 1.0, "w": 2.0 * value + 1.0}[kind]
    before, result = ops.ones_like(value), start
    for _ in range(1, n):
        before, result = result, 2.0 * value * result - before
    return _degree(n, result, value)


def hermite_polynomial(input: Tensor, n: int, factor: float) -> Tensor:
    """Return a Hermite polynomial of degree n: of physicists for 2, of probability for 1."""
    value = _floating(input)
    before, result = ops.ones_like(value), factor * value
    for degree in range(1, n):
        before, result = result, factor * (value * result - degree * before)
    return _degree(n, result, value)


def laguerre_polynomial(input: Tensor, n: int) -> Tensor:
    """Return the Laguerre polynomial of degree n."""
    value = _floating(input)
    before, result = ops.ones_like(value), 1.0 - value
    for degree in range(1, n):
        following = ((2 * degree + 1 - value) * result - degree * before) / (degree + 1)
        before, result = result, following
    return _degree(n, result, value)


def legendre_polynomial(input: Tensor, n: int) -> Tensor:
    """Return the Legendre polynomial of degree n."""
    value = _floating(input)
    before, result = ops.ones_like(value), value
    for degree in range(1, n):
        following = ((2 * degree + 1) * value * result - degree * before) / (degree + 1)
        before, result = result, following
    return _degree(n, result, value)


def _degree(n: int, result: Tensor, value: Tensor) -> Tensor:
    """Return a polynomial's values, which are 1 for degree 0 and 0 below."""
    if n < 0:
        return ops.zeros_like(value)
    return ops.ones_like(value) if n == 0 else result
