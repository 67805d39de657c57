"""Compare the leaves of a sample's output in both frameworks with torch.testing.assert_close."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch

from porter.mapping.schema import Entry
from porter.parity.tree import Leaf
from porter.types import PorterError

_SIGMAS = 6.0
"""How many standard errors the figures of two random outputs may lie apart."""


def compare_leaves(expected: Mapping[str, Leaf], actual: Mapping[str, Leaf], entry: Entry) -> int:
    """Return how many leaves agree, which is all of them.

    Raises PorterError: PRT612 where the trees differ, PRT601 shape, PRT602 dtype, PRT603 values.
    Only `compare = "shape"` leaves the values out.
    """
    _same_tree(expected, actual)
    for name, leaf in expected.items():
        other = actual[name]
        if leaf.array is None or other.array is None:
            if leaf.value != other.value or leaf.dtype != other.dtype:
                text = f"{name} is {other.value!r}, PyTorch has {leaf.value!r}"
                raise PorterError("PRT603", text)
            continue
        _same_form(leaf, other)
        if entry.compare == "shape":
            continue
        exact = entry.compare == "exact"
        try:
            torch.testing.assert_close(
                _tensor(other),
                _tensor(leaf),
                rtol=0 if exact else entry.tolerance.get("rtol"),
                atol=0 if exact else entry.tolerance.get("atol"),
                equal_nan=True,
            )
        except AssertionError as error:
            text = " ".join(str(error).split())
            got, wanted = _some(other), _some(leaf)
            raise PorterError(
                "PRT603", f"{name}: {text} MindSpore has {got}, PyTorch {wanted}"
            ) from error
    return len(expected)


def compare_statistics(expected: Mapping[str, Leaf], actual: Mapping[str, Leaf]) -> int:
    """Return how many random leaves have the same mean, spread and share of zeros.

    Raises PorterError as `compare_leaves`, and PRT603 where a leaf is too small to tell anything.
    """
    _same_tree(expected, actual)
    for name, leaf in expected.items():
        other = actual[name]
        if leaf.array is None or other.array is None:
            raise PorterError("PRT612", f"{name} is no tensor")
        _same_form(leaf, other)
        size = leaf.array.size
        if size < 1000:
            raise PorterError("PRT603", f"{name} has {size} values: too few for statistics")
        first, second = leaf.array.astype(np.float64), other.array.astype(np.float64)
        spread = max(float(first.std()), float(second.std()), 1e-12)
        figures = {
            "the mean": (first.mean(), second.mean(), spread),
            "the standard deviation": (first.std(), second.std(), spread),
            "the share of zeros": ((first == 0).mean(), (second == 0).mean(), 0.5),
        }
        for what, (wanted, got, scale) in figures.items():
            if not abs(got - wanted) <= _SIGMAS * scale / size**0.5:
                text = f"{name}: {what} is {got:.4g}, PyTorch has {wanted:.4g}"
                raise PorterError("PRT603", text)
    return len(expected)


def _same_tree(expected: Mapping[str, Leaf], actual: Mapping[str, Leaf]) -> None:
    if not expected:
        raise PorterError("PRT612", "PyTorch returns nothing: that proves nothing")
    if list(expected) != list(actual):
        text = f"the port returns {_names(actual)}, PyTorch {_names(expected)}"
        raise PorterError("PRT612", text)
    for name, leaf in expected.items():
        if leaf.kind != actual[name].kind or leaf.kind == "object":
            text = f"{name} is a {actual[name].kind}, in PyTorch a {leaf.kind}"
            raise PorterError("PRT612", f"{text} ({actual[name].value!r}, {leaf.value!r})")


def _names(leaves: Mapping[str, Leaf]) -> str:
    return ", ".join(leaves) or "nothing"


def _same_form(expected: Leaf, actual: Leaf) -> None:
    assert expected.array is not None
    assert actual.array is not None
    if expected.array.shape != actual.array.shape:
        text = f"{expected.name}: shape {actual.array.shape}, PyTorch has {expected.array.shape}"
        raise PorterError("PRT601", text)
    if expected.dtype != actual.dtype:
        text = f"{expected.name}: dtype {actual.dtype}, PyTorch has {expected.dtype}"
        raise PorterError("PRT602", text)


def _tensor(leaf: Leaf) -> torch.Tensor:
    tensor = torch.from_numpy(np.array(leaf.array))
    # NumPy has no bfloat16: the values came as float32, the tolerance is that of bfloat16.
    return tensor.bfloat16() if leaf.dtype == "bfloat16" else tensor


def _some(leaf: Leaf) -> str:
    assert leaf.array is not None
    return np.array2string(leaf.array.reshape(-1)[:4], precision=6, separator=", ")
