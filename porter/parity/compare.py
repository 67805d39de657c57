"""Compare what a port returned with what PyTorch returned, leaf by leaf."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from porter.parity.results import GradientRow, OutputRow
from porter.parity.tree import Leaf
from porter.recipe import Verify
from porter.weights.dtypes import Array

_FLOOR = 1e-2
"""Noise that a gradient may have, as a part of the tolerance for the largest gradient of all."""


def compare_leaves(
    expected: Mapping[str, Leaf],
    actual: Mapping[str, Leaf],
    exact: Mapping[str, Leaf],
    settings: Verify,
) -> list[OutputRow]:
    """Return a row for each leaf of either side. `exact` holds PyTorch's float64 leaves, or none.

    The codes: PRT612 where the leaves themselves differ, PRT601 shape, PRT602 dtype, PRT605 for
    values that are not finite, PRT603 for values out of tolerance; integers and booleans must be
    equal.
    """
    rows = [
        _leaf(leaf, actual.get(name), exact.get(name), settings) for name, leaf in expected.items()
    ]
    for name, leaf in actual.items():
        if name not in expected:
            text = f"the port returns {_described(leaf)}, PyTorch has no such output"
            rows.append(OutputRow(name, code="PRT612", message=text))
    return rows


def _described(leaf: Leaf) -> str:
    if leaf.kind == "tensor":
        return "a tensor"
    return {"none": "None", "value": repr(leaf.value)}.get(leaf.kind, f"a {leaf.value}")


def _leaf(expected: Leaf, actual: Leaf | None, exact: Leaf | None, settings: Verify) -> OutputRow:
    row = OutputRow(expected.name)
    if actual is None:
        text = f"PyTorch returns {_described(expected)}, the port has no such output"
        return replace(row, code="PRT612", message=text)
    if expected.kind == "object":
        text = f"a {expected.value} cannot be compared; verify.ignore_outputs can name it"
        return replace(row, code="PRT612", message=text)
    if expected.kind != actual.kind:
        text = f"PyTorch returns {_described(expected)}, the port {_described(actual)}"
        return replace(row, code="PRT612", message=text)
    if expected.array is None or actual.array is None:
        same = expected.value == actual.value
        text = "" if same else f"PyTorch returns {expected.value!r}, the port {actual.value!r}"
        return replace(row, dtype=expected.dtype, code="" if same else "PRT603", message=text)
    row = replace(row, shape=expected.array.shape, dtype=expected.dtype)
    if expected.array.shape != actual.array.shape:
        text = f"shape {actual.array.shape}, PyTorch has {expected.array.shape}"
        return replace(row, code="PRT601", message=text)
    row = _values(row, expected.array, actual.array, exact, settings)
    if expected.dtype != actual.dtype:
        text = f"dtype {actual.dtype}, PyTorch has {expected.dtype}"
        also = f"; {row.message}" if row.message else ""
        return replace(row, code="PRT602", message=text + also)
    return row


def _values(
    row: OutputRow,
    expected: Array,
    actual: Array,
    exact: Leaf | None,
    settings: Verify,
) -> OutputRow:
    wide = np.complex128 if np.iscomplexobj(expected) else np.float64
    e, a = expected.astype(wide), actual.astype(wide)
    finite = np.isfinite(e) & np.isfinite(a)
    difference = np.abs(np.subtract(a, e, where=finite, out=np.zeros_like(e)))
    size = np.abs(np.where(finite, e, 0.0))
    limit = np.zeros_like(size)
    if np.issubdtype(expected.dtype, np.inexact):
        limit = settings.absolute_tolerance + settings.relative_tolerance * size
    if difference.size:
        flat = int(np.argmax(difference - limit))
        worst = tuple(int(i) for i in np.unravel_index(flat, difference.shape))
        relative = np.divide(difference, size, where=size > 0, out=np.zeros_like(difference))
        row = replace(
            row,
            maximum_absolute=float(difference.max()),
            maximum_relative=float(relative.max()),
            index=worst,
            tolerance=float(limit[worst]),
        )
    else:
        row = replace(row, maximum_absolute=0.0, maximum_relative=0.0, tolerance=0.0)
    if exact is not None and exact.array is not None and exact.array.shape == expected.shape:
        yardstick = exact.array.astype(wide)
        row = replace(row, torch_error=_error(e, yardstick), port_error=_error(a, yardstick))
    bad = _not_finite(e, a)
    if bad:
        return replace(row, code="PRT605", message=bad)
    wrong = int(np.count_nonzero(difference > limit))
    if not wrong or _as_good_as_torch(row, settings):
        return row
    message = (
        f"{wrong} of {difference.size} values differ, by {difference[worst]:.3g} at "
        f"{list(worst)}: {actual[worst]:.7g}, PyTorch has {expected[worst]:.7g}"
    )
    return replace(row, code="PRT603", message=message)


def _error(values: Array, yardstick: Array) -> float:
    finite = np.isfinite(values) & np.isfinite(yardstick)
    return float(np.abs(values[finite] - yardstick[finite]).max(initial=0.0))


def _not_finite(expected: Array, actual: Array) -> str:
    """Say what is wrong with values that are not finite; an infinity on both sides is right."""
    if np.isnan(expected).any():
        return f"PyTorch itself has {int(np.isnan(expected).sum())} NaN: they prove nothing"
    odd = ~np.isfinite(expected) | ~np.isfinite(actual)
    different = odd & (expected != actual)
    if different.any():
        first = tuple(int(i) for i in np.argwhere(different)[0])
        return f"{actual[first]} at {list(first)}, PyTorch has {expected[first]:.7g}"
    return ""


def _as_good_as_torch(row: OutputRow, settings: Verify) -> bool:
    if not settings.float64_factor or row.torch_error is None or row.port_error is None:
        return False
    return row.port_error <= settings.float64_factor * row.torch_error


def same_leaves(first: Mapping[str, Leaf], second: Mapping[str, Leaf]) -> bool:
    """Tell whether two runs returned exactly the same leaves."""
    if first.keys() != second.keys():
        return False
    for name, leaf in first.items():
        other = second[name]
        if (leaf.kind, leaf.dtype, leaf.value) != (other.kind, other.dtype, other.value):
            return False
        if leaf.array is not None and not np.array_equal(
            leaf.array, np.asarray(other.array), equal_nan=leaf.array.dtype.kind in "fc"
        ):
            return False
    return True


def compare_gradients(
    expected: Mapping[str, Array], actual: Mapping[str, Array], tolerance: float
) -> list[GradientRow]:
    """Return a row for each gradient; those that are NaN in `expected` are not asked for.

    A gradient may differ by `tolerance` times its own largest value, plus a hundredth of that of
    the largest of all: where PyTorch has rounding noise around zero, so has the port.
    """
    asked = {
        name: value
        for name, value in expected.items()
        if value.dtype.kind == "f" and not (value.size and np.isnan(value).all())
    }
    overall = max((float(np.abs(value).max(initial=0.0)) for value in asked.values()), default=0.0)
    rows = []
    for name, value in asked.items():
        largest = float(np.abs(value).max(initial=0.0))
        limit = tolerance * (largest + _FLOOR * overall)
        row = GradientRow(name, value.shape, largest, None, limit)
        other = actual.get(name)
        if other is None:
            text = "the port has no gradient for it: it is no trainable parameter"
            row = replace(row, code="PRT610", message=text)
        elif other.shape != value.shape:
            text = f"shape {other.shape}, PyTorch has {value.shape}"
            row = replace(row, code="PRT610", message=text)
        else:
            difference = np.abs(other.astype(np.float64) - value.astype(np.float64))
            largest_difference = float(difference.max(initial=0.0))
            row = replace(row, maximum_absolute=largest_difference)
            if not largest_difference <= limit:  # written so that NaN is refused too
                text = f"differs by {largest_difference:.3g}, its largest value is {largest:.3g}"
                if not np.abs(other).any():
                    text = f"is zero, PyTorch's largest value is {largest:.3g}"
                row = replace(row, code="PRT610", message=text)
        rows.append(row)
    for name in sorted(actual.keys() - expected.keys()):
        text = "PyTorch has no parameter for it"
        row = GradientRow(name, actual[name].shape, 0.0, None, 0.0, code="PRT610", message=text)
        rows.append(row)
    return rows
