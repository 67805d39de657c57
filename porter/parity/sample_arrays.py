"""Make the arrays of a sample: seeded, so that every process draws the same."""

from __future__ import annotations

import numpy as np

from porter.parity.samples import ArraySpec, Case, ParsedCall
from porter.weights.dtypes import Array


def make_array(spec: ArraySpec, *seed: int) -> Array:
    """Return the array of a spec.

    Without a range, numbers are on both sides of zero and booleans of both values, so that the
    branch which a function takes for either is reached.
    """
    if spec.values is not None:
        return np.array(spec.values, dtype=spec.dtype)
    random = np.random.default_rng(seed)
    size = int(np.prod(spec.shape))
    values: Array
    if spec.low is not None and spec.high is not None:
        if np.issubdtype(spec.dtype, np.integer):
            values = random.integers(int(spec.low), int(spec.high), size)
        else:
            values = random.uniform(spec.low, spec.high, size)
    elif spec.dtype == "bool":
        values = random.permutation(np.arange(size) % 2 == 0)
    elif np.issubdtype(spec.dtype, np.integer):
        lowest = 0 if spec.dtype == "uint8" else -4
        values = random.integers(lowest, 9, size)
    else:
        values = random.standard_normal(size)
        if size > 1:
            values[0], values[-1] = -abs(values[0]), abs(values[-1])
        if spec.dtype == "complex64":
            values = values + 1j * random.standard_normal(size)
    return np.asarray(values.reshape(spec.shape)).astype(spec.dtype)


def inputs_of(case: Case, call: ParsedCall) -> dict[str, Array]:
    """Return the arrays of a call of a case by name."""
    return {
        name: make_array(spec, case.seed, position)
        for position, (name, spec) in enumerate(call.arrays)
    }
