"""Say how far a value may be from PyTorch's, by PyTorch's own error against float64.

The rule: a port's error may be at most a factor of the error that PyTorch itself makes in the same
dtype, with a floor from the dtype's epsilon. It needs no tolerance that somebody has guessed, grows
with the depth of a model as rounding does, and is as tight for a small model as float32 allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from porter.weights.dtypes import Array

EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
EPSILON |= {"complex64": EPSILON["float32"], "complex128": EPSILON["float64"]}
CLOSE = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
}
"""Relative and absolute tolerance where there is no yardstick: those of torch.testing.assert_close.

https://docs.pytorch.org/docs/stable/testing.html
"""
CLOSE |= {"complex64": CLOSE["float32"], "complex128": CLOSE["float64"]}
_SENTINEL = 2.0**100
"""Values this large stand for "masked"; they would make every error of the others look small."""
FLOOR = {"float16": 8.0, "bfloat16": 8.0, "float32": 32.0, "float64": 32.0}
FLOOR |= {"complex64": 32.0, "complex128": 32.0}
"""Epsilons that any port may be off, relative to a value. PyTorch rounds sigmoid or tanh all but
exactly; MindSpore's CPU kernels of such functions were measured to be up to 20 epsilon off."""
_REACH = 4
"""Powers of two by which a value may be larger for its error to count."""
_TYPICAL = 0.25


@dataclass(frozen=True, slots=True)
class Limits:
    """For each value, what to compare with and how far from it a port may be.

    `usable` tells for which values `base` is float64; for the others it is PyTorch's own value.
    """

    base: Array
    limit: Array
    usable: Array
    rule: str


def close_limits(
    expected: Array, dtype: str, relative: float | None, absolute: float | None, rule: str
) -> Limits:
    """Return limits around PyTorch's own values; None stands for the default of the dtype."""
    default_relative, default_absolute = CLOSE.get(dtype, (0.0, 0.0))
    relative = default_relative if relative is None else relative
    absolute = default_absolute if absolute is None else absolute
    size = np.abs(np.where(np.isfinite(expected), expected, 0.0))
    none = np.zeros(expected.shape, dtype=bool)
    return Limits(expected, absolute + relative * size, none, rule)


def float64_limits(
    expected: Array, exact: Array, dtype: str, factor: float, perturbed: Array | None = None
) -> Limits:
    """Return limits around the float64 values, from PyTorch's error in `dtype`.

    `perturbed` is what PyTorch computes in `dtype` where weights and inputs are off by an epsilon:
    one run may round luckily, and its error is then less than what `dtype` allows anybody.

    A value's allowance comes from PyTorch's errors at values of about 16 times its size at most, so
    that a few large ones do not excuse the small ones; sizes below the first quartile count as
    that, since what is small by cancellation has the error of its terms. Where PyTorch is so far
    from its own float64 run that the two cannot have computed the same thing (a mask of the dtype's
    smallest number, another choice of an expert), there is no yardstick, and PyTorch's value is the
    base.
    """
    epsilon = EPSILON[dtype]
    fallback = close_limits(expected, dtype, None, None, "torch")
    size = np.abs(exact)
    finite = np.isfinite(expected) & np.isfinite(exact) & (np.abs(expected) < _SENTINEL)
    finite &= size < _SENTINEL
    error = np.where(
        finite, np.abs(np.subtract(expected, exact, where=finite, out=np.zeros_like(exact))), np.inf
    )
    if perturbed is not None and perturbed.shape == exact.shape:
        again = np.abs(np.subtract(perturbed, exact, where=finite, out=np.zeros_like(exact)))
        error = np.where(finite & np.isfinite(again), np.maximum(error, again), error)
    present = size[finite & (size > 0)]
    typical = float(np.quantile(present, _TYPICAL)) if present.size else 0.0
    scale = np.maximum(size, typical)
    usable = finite & (error <= min(0.25, 8192 * epsilon) * scale)
    if not usable.any():
        return fallback
    reached = _largest_near(scale[usable], error[usable])
    limit = np.array(fallback.limit)  # a 0-d result of NumPy is a scalar otherwise
    limit[usable] = np.maximum(factor * reached, FLOOR[dtype] * epsilon * scale[usable])
    return Limits(np.where(usable, exact, expected), limit, usable, "float64")


def _largest_near(sizes: Array, errors: Array) -> Array:
    """Return for each value the largest error of those up to about 16 times its size.

    Sizes are taken by their powers of two: sorting the gradients of a large model takes minutes.
    """
    _, powers = np.frexp(sizes)
    order = powers - powers.min()
    largest = np.zeros(int(order.max()) + 1)
    np.maximum.at(largest, order, errors)
    largest = np.maximum.accumulate(largest)
    found: Array = largest[np.minimum(order + _REACH, largest.size - 1)]
    return found


def widened(values: Array) -> Array:
    """Return the values as float64, or complex128."""
    wide: Any = np.complex128 if np.iscomplexobj(values) else np.float64
    return values.astype(wide)
