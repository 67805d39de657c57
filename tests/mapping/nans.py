"""Put a NaN into the samples of an entry: it must come out where PyTorch's does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from porter.mapping.schema import Entry, Sample
from porter.parity.sample_arrays import make_array
from porter.parity.samples import ArraySpec, Case, ParsedCall, cases_of
from porter.weights.dtypes import Array
from tests.mapping.variations import accepted, text_of

_FLOATS = ("float32", "float64")
_LARGEST = 64


def samples_with_nan(entry: Entry) -> list[Sample]:
    """Return samples of an entry that PyTorch computes, with one NaN: one for each float input.

    The first sample with a float array stands for the entry; its values are written out.
    """
    if entry.kind not in ("function", "method", "module"):
        return []
    for case in cases_of(entry):
        places = [
            place
            for place, (_, spec) in enumerate(case.call.arrays)
            if spec.dtype in _FLOATS and 1 < _array(case, place, spec).size <= _LARGEST
        ]
        found = [changed for place in places if accepted(changed := _with_nan(case, place))]
        if found:
            return [
                Sample(text_of(item.call), None if item.init is None else text_of(item.init))
                for item in found
            ]
    return []


def _array(case: Case, place: int, spec: ArraySpec) -> Array:
    return make_array(spec, case.seed, place)


def _with_nan(case: Case, place: int) -> Case:
    """Return the case with a NaN in the middle of one input: neither first nor last."""
    name, spec = case.call.arrays[place]
    values = _array(case, place, spec).copy()
    values.flat[values.size // 2] = np.nan
    spelled = ArraySpec(spec.dtype, values=values.tolist())
    arrays = list(case.call.arrays)
    arrays[place] = (name, spelled)
    return replace(case, call=ParsedCall(case.call.call, tuple(arrays)))
