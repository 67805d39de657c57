"""Compare the gradients of a port, and its parameters after a training step, with PyTorch's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from porter.parity.results import GradientRow
from porter.parity.yardstick import EPSILON, float64_limits
from porter.weights.dtypes import Array

_FLOOR = 1e-2
"""Noise that a gradient may have, as a part of the tolerance for the largest gradient of all."""
_SETTLED = 100.0
"""How many times its tolerance a gradient must be for the direction of a step to be certain."""
_EPSILON = EPSILON["float32"]


def compare_gradients(
    expected: Mapping[str, Array],
    actual: Mapping[str, Array],
    *,
    tolerance: float | None = None,
    errors: Mapping[str, Array] | None = None,
    factor: float = 4.0,
) -> list[GradientRow]:
    """Return a row for each gradient; those that are NaN in `expected` are not asked for.

    `errors` holds what PyTorch's float32 gradients are off float64; the port's error may be
    `factor` times that, see `porter.parity.yardstick`, with a floor of epsilon times the largest
    gradient of all: that is the noise in a gradient that is zero but for rounding, such as that of
    a bias which softmax cancels. With `tolerance`, a gradient may instead differ by
    `tolerance` times its own largest value, plus a hundredth of that of the largest of all. The
    code is PRT610.
    """
    asked = _asked(expected)
    overall = max((float(np.abs(value).max(initial=0.0)) for value in asked.values()), default=0.0)
    rows = []
    for name, value in asked.items():
        error = errors.get(name) if errors is not None and tolerance is None else None
        largest = float(np.abs(value).max(initial=0.0))
        base, usable = value.astype(np.float64), np.zeros(value.shape, dtype=bool)
        relative = 1e-4 if tolerance is None else tolerance
        limit = np.full(value.shape, relative * (largest + _FLOOR * overall))
        if error is not None:
            base = base - error
            limits = float64_limits(value.astype(np.float64), base, "float32", factor)
            usable = limits.usable
            own = float(np.abs(error).max(initial=0.0))
            limit = np.where(usable, limits.limit, factor * own)
            limit = np.maximum(limit, factor * _EPSILON * overall)
        row = GradientRow(name, value.shape, largest, None, float(limit.max(initial=0.0)))
        rows.append(_judged(row, value, base, limit, usable, error, actual.get(name)))
    return rows + _unexpected(expected, actual)


def compare_step(
    expected: Mapping[str, Array],
    actual: Mapping[str, Array],
    errors: Mapping[str, Array],
    gradients: Mapping[str, Array],
    rows: Sequence[GradientRow],
    *,
    length: float,
    factor: float = 4.0,
) -> list[GradientRow]:
    """Return a row for each parameter after one optimizer step of at most about `length`.

    An optimizer that divides by the size of the gradient turns rounding noise into whole steps.
    Values whose gradient, in `gradients`, is less than a hundred times what `rows` allows it to be
    off are such noise: they need only lie within a step of each other, and `judged` does not count
    them.
    """
    allowed = {row.name: row.tolerance for row in rows}
    result = []
    for name, value in _asked(expected).items():
        base = value.astype(np.float64) - errors[name]
        size = np.abs(base)
        settled = np.abs(gradients[name]) > _SETTLED * allowed.get(name, np.inf)
        own = float(np.abs(errors[name])[settled].max(initial=0.0))
        limit = factor * np.maximum(own, _EPSILON * size)
        limit = np.where(settled, limit, 2.1 * length + factor * _EPSILON * size)
        largest = float(size.max(initial=0.0))
        row = GradientRow(name, value.shape, largest, None, float(limit.max(initial=0.0)))
        result.append(_judged(row, value, base, limit, settled, errors[name], actual.get(name)))
    return result + _unexpected(expected, actual)


def _asked(expected: Mapping[str, Array]) -> dict[str, Array]:
    return {
        name: value
        for name, value in expected.items()
        if value.dtype.kind == "f" and not (value.size and np.isnan(value).all())
    }


def _unexpected(expected: Mapping[str, Array], actual: Mapping[str, Array]) -> list[GradientRow]:
    text = "PyTorch has no parameter for it"
    return [
        GradientRow(name, actual[name].shape, 0.0, None, 0.0, code="PRT610", message=text)
        for name in sorted(actual.keys() - expected.keys())
    ]


def _judged(
    row: GradientRow,
    value: Array,
    base: Array,
    limit: Array,
    usable: Array,
    error: Array | None,
    other: Array | None,
) -> GradientRow:
    if other is None:
        text = "the port has no gradient for it: it is no trainable parameter"
        return replace(row, code="PRT610", message=text)
    if other.shape != value.shape:
        text = f"shape {other.shape}, PyTorch has {value.shape}"
        return replace(row, code="PRT610", message=text)
    difference = np.abs(other.astype(np.float64) - value.astype(np.float64))
    off = np.abs(other.astype(np.float64) - base)
    largest_difference = float(difference.max(initial=0.0))
    judged = int(usable.sum()) if error is not None else value.size
    row = replace(row, maximum_absolute=largest_difference, judged=judged)
    if error is not None:
        own = float(np.abs(error).max(initial=0.0))
        row = replace(row, torch_error=own, port_error=float(off.max(initial=0.0)))
    if np.all(off <= limit):  # written so that NaN is refused too
        return row
    worst = np.unravel_index(int(np.argmax(np.nan_to_num(off - limit, nan=np.inf))), off.shape)
    text = (
        f"differs by {difference[worst]:.3g} at {[int(i) for i in worst]}, where "
        f"{limit[worst]:.3g} is allowed; its largest value is {row.largest:.3g}"
    )
    if not np.abs(other).any():
        text = f"is zero, PyTorch's largest value is {row.largest:.3g}"
    return replace(row, tolerance=float(limit[worst]), code="PRT610", message=text)
