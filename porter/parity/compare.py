"""Compare what a port returned with what PyTorch returned, leaf by leaf."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from porter.parity.results import OutputRow
from porter.parity.tree import Leaf
from porter.parity.yardstick import EPSILON, Limits, close_limits, float64_limits, widened
from porter.recipe import Verify
from porter.weights.dtypes import Array

NOTHING: Mapping[str, Leaf] = MappingProxyType({})


def compare_leaves(
    expected: Mapping[str, Leaf],
    actual: Mapping[str, Leaf],
    exact: Mapping[str, Leaf],
    settings: Verify,
    perturbed: Mapping[str, Leaf] = NOTHING,
) -> list[OutputRow]:
    """Return a row for each leaf of either side. `exact` holds PyTorch's float64 leaves, or none.

    `perturbed` holds what PyTorch returns where weights and inputs are off by an epsilon, or none.

    Values are judged by the tolerances of the recipe where it sets any, else by
    `porter.parity.yardstick`. The codes: PRT612 where the leaves themselves differ, PRT601 shape,
    PRT602 dtype, PRT605 for values that are not finite, PRT603 for values out of tolerance.
    Integers and booleans must be equal.
    """
    rows = [
        _leaf(leaf, actual.get(name), exact.get(name), settings, perturbed.get(name))
        for name, leaf in expected.items()
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


def _leaf(
    expected: Leaf,
    actual: Leaf | None,
    exact: Leaf | None,
    settings: Verify,
    perturbed: Leaf | None,
) -> OutputRow:
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
        return replace(
            row, dtype=expected.dtype, rule="equal", code="" if same else "PRT603", message=text
        )
    row = replace(row, shape=expected.array.shape, dtype=expected.dtype)
    if expected.array.shape != actual.array.shape:
        text = f"shape {actual.array.shape}, PyTorch has {expected.array.shape}"
        return replace(row, code="PRT601", message=text)
    row = _values(row, expected, actual.array, limits_of(expected, exact, settings, perturbed))
    if expected.dtype != actual.dtype:
        text = f"dtype {actual.dtype}, PyTorch has {expected.dtype}"
        also = f"; {row.message}" if row.message else ""
        return replace(row, code="PRT602", message=text + also)
    return row


def limits_of(
    expected: Leaf, exact: Leaf | None, settings: Verify, perturbed: Leaf | None = None
) -> Limits:
    """Return what the values of a tensor are compared with, and how far they may be from it."""
    if expected.array is None:
        raise ValueError(f"{expected.name} is no tensor")
    values = widened(expected.array)
    if expected.dtype not in EPSILON:
        return close_limits(values, expected.dtype, None, None, "equal")
    relative, absolute = settings.relative_tolerance, settings.absolute_tolerance
    if relative is not None or absolute is not None:
        return close_limits(values, expected.dtype, relative, absolute, "recipe")
    if exact is None or exact.array is None or exact.array.shape != values.shape:
        return close_limits(values, expected.dtype, None, None, "torch")
    yardstick = exact.array.astype(values.dtype)
    again = widened(perturbed.array) if perturbed and perturbed.array is not None else None
    return float64_limits(values, yardstick, expected.dtype, settings.float64_factor, again)


def _values(row: OutputRow, expected: Leaf, actual: Array, limits: Limits) -> OutputRow:
    e, a = widened(np.asarray(expected.array)), actual.astype(limits.base.dtype)
    row = replace(row, rule=limits.rule)
    if not e.size:
        return replace(row, maximum_absolute=0.0, maximum_relative=0.0, tolerance=0.0)
    difference = _distance(a, e)
    off = _distance(a, limits.base)
    size = np.abs(np.where(np.isfinite(e), e, 0.0))
    used = _used(off, limits.limit)
    worst = _place(used)
    relative = np.divide(difference, size, where=size > 0, out=np.zeros_like(difference))
    row = replace(
        row,
        maximum_absolute=float(difference.max()),
        maximum_relative=float(relative.max()),
        index=worst,
        tolerance=float(limits.limit[worst]),
        used=float(used[worst]),
    )
    if limits.usable.any():
        row = replace(
            row,
            torch_error=float(_distance(e, limits.base)[limits.usable].max()),
            port_error=float(off[limits.usable].max()),
            unusable=int(np.count_nonzero(~limits.usable & np.isfinite(e))),
        )
    bad = _not_finite(e, a)
    if bad:
        return replace(row, code="PRT605", message=bad)
    wrong = int(np.count_nonzero(off > limits.limit))
    if not wrong:
        return row
    message = (
        f"{wrong} of {off.size} values differ, by {difference[worst]:.3g} at "
        f"{list(worst)}: {a[worst]:.7g}, PyTorch has {e[worst]:.7g}"
    )
    if limits.usable[worst]:
        message += f", and {limits.base[worst]:.7g} in float64"
    return replace(row, code="PRT603", message=message)


def _distance(first: Array, second: Array) -> Array:
    """Return absolute differences; 0 where a value of either side is not finite."""
    finite = np.isfinite(first) & np.isfinite(second)
    zeros = np.zeros(first.shape, dtype=np.result_type(first, second))
    distance: Array = np.abs(np.subtract(first, second, where=finite, out=zeros))
    return distance


def _used(off: Array, limit: Array) -> Array:
    """Return which part of its limit each value uses."""
    part: Array = np.divide(off, limit, where=limit > 0, out=np.where(off > 0, np.inf, 0.0))
    return part


def _place(used: Array) -> tuple[int, ...]:
    """Return the place of the largest value."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(used)), used.shape))


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


def compare_modes(
    reference: Mapping[str, Leaf],
    exact: Mapping[str, Leaf],
    eager: Mapping[str, Leaf],
    graph: Mapping[str, Leaf],
    settings: Verify,
) -> str:
    """Say how a graph differs from PYNATIVE by more than either may from PyTorch; "" if not."""
    if graph.keys() != eager.keys():
        return f"outputs {', '.join(graph)}, PYNATIVE has {', '.join(eager)}"
    for name, leaf in graph.items():
        other = eager[name]
        if (leaf.kind, leaf.dtype, leaf.value) != (other.kind, other.dtype, other.value):
            given, wanted = (f"{_described(item)} {item.dtype}" for item in (leaf, other))
            return f"{name} is {given}, in PYNATIVE {wanted}"
        if leaf.array is None or other.array is None:
            continue
        if leaf.array.shape != other.array.shape:
            return f"{name} has the shape {leaf.array.shape}, in PYNATIVE {other.array.shape}"
        expected = reference.get(name)
        if expected is None or expected.array is None or expected.array.shape != leaf.array.shape:
            expected = other
        limits = limits_of(expected, exact.get(name), settings)
        off = _distance(widened(leaf.array), widened(other.array))
        differ = not np.array_equal(np.isfinite(leaf.array), np.isfinite(other.array))
        if off.size and (np.any(off > limits.limit) or differ):
            worst = _place(_used(off, limits.limit))
            return (
                f"{name} differs by {off[worst]:.3g} at {list(worst)}: {leaf.array[worst]:.7g}, "
                f"PYNATIVE has {other.array[worst]:.7g}"
            )
    return ""


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
