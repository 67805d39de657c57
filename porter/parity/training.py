"""Say what is measured of the training mode, the same on both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from porter.parity.tree import Leaf
from porter.weights.dtypes import Array

REPEATS = 8
"""Passes with different seeds over which statistics are taken."""
STEP: dict[str, Any] = {
    "lr": 1e-3,
    "betas": (0.9, 0.999),
    "eps": 1e-8,
    "weight_decay": 1e-2,
}
"""The arguments of the AdamW step; both frameworks spell them so."""


def pass_seed(index: int) -> int:
    """Return the seed of a pass in training mode."""
    return 1000 + index


def kept_share(inputs: Array, output: Array) -> tuple[int, int]:
    """Return how many values a dropout kept, and how many there were, zeros at the input aside."""
    given = inputs != 0
    return int(np.count_nonzero(output[given])), int(np.count_nonzero(given))


def kept_scale(inputs: Array, output: Array) -> float:
    """Return the factor by which a dropout multiplied what it kept, the median; NaN for none."""
    kept = (inputs != 0) & (output != 0)
    return float(np.median(output[kept] / inputs[kept])) if kept.any() else float("nan")


def spread(output: Array, evaluated: Array) -> float:
    """Return the logarithm of the mean square distance from the output in evaluation mode."""
    distance = output.astype(np.float64) - evaluated.astype(np.float64)
    return float(np.log(max(float(np.mean(distance**2)), 1e-300)))


def projection(output: Array, evaluated: Array) -> float:
    """Return how long the output is along that in evaluation mode, 1 where it is the same."""
    base = evaluated.astype(np.float64)
    size = float(np.sum(base * base))
    return float(np.sum(output.astype(np.float64) * base)) / size if size else 0.0


def output_figures(
    passes: Sequence[Mapping[str, Leaf]], evaluated: Mapping[str, Leaf]
) -> dict[str, list[tuple[float, float]]]:
    """Return `spread` and `projection` of each floating output, pass by pass."""
    figures: dict[str, list[tuple[float, float]]] = {}
    for leaves in passes:
        for name, leaf in leaves.items():
            base = evaluated.get(name)
            if leaf.array is None or base is None or base.array is None:
                continue
            if leaf.array.dtype.kind == "f" and base.array.shape == leaf.array.shape:
                pair = (spread(leaf.array, base.array), projection(leaf.array, base.array))
                figures.setdefault(name, []).append(pair)
    return figures
