"""Name the dtypes that torch, safetensors and MindSpore share, and cast between the floats.

NumPy has no bfloat16: everywhere in porter.weights a bfloat16 tensor is an array of uint16 that
holds its bits, and the dtype's name travels beside the array.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.types import PorterError

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Dtype:
    """One dtype: porter's name for it, the safetensors and MindSpore names, and its storage."""

    name: str
    safetensors: str
    mindspore: str
    storage: np.dtype[Any]

    @property
    def floating(self) -> bool:
        """Tell whether the values are floating-point numbers."""
        return self.name == "bfloat16" or self.storage.kind == "f"


DTYPES = {
    name: Dtype(name, safetensors, mindspore, np.dtype(storage))
    for name, safetensors, mindspore, storage in (
        ("bool", "BOOL", "Bool", "?"),
        ("uint8", "U8", "UInt8", "<u1"),
        ("int8", "I8", "Int8", "<i1"),
        ("uint16", "U16", "UInt16", "<u2"),
        ("int16", "I16", "Int16", "<i2"),
        ("float16", "F16", "Float16", "<f2"),
        ("bfloat16", "BF16", "BFloat16", "<u2"),
        ("uint32", "U32", "UInt32", "<u4"),
        ("int32", "I32", "Int32", "<i4"),
        ("float32", "F32", "Float32", "<f4"),
        ("uint64", "U64", "UInt64", "<u8"),
        ("int64", "I64", "Int64", "<i8"),
        ("float64", "F64", "Float64", "<f8"),
    )
}
BY_SAFETENSORS = {dtype.safetensors: dtype for dtype in DTYPES.values()}
BY_MINDSPORE = {dtype.mindspore: dtype for dtype in DTYPES.values()}


@dataclass(frozen=True, slots=True)
class CastReport:
    """What a cast between floats did: counts of elements, and the greatest absolute error.

    `overflowed` finite values became infinite, `vanished` values became zero, `rounded` values
    changed at all (those included).
    """

    overflowed: int
    vanished: int
    rounded: int
    greatest_error: float


def same_bits(first: Array, second: Array) -> bool:
    """Tell whether two arrays have the same shape, dtype and bits; NaN payloads and -0.0 count."""
    return (
        first.shape == second.shape
        and first.dtype == second.dtype
        and first.tobytes() == second.tobytes()
    )


def find_float(name: str) -> Dtype:
    """Return the floating dtype called `name`.

    Raises PorterError (PRT703) for any other name.
    """
    dtype = DTYPES.get(name)
    if dtype is None or not dtype.floating:
        choices = ", ".join(item.name for item in DTYPES.values() if item.floating)
        raise PorterError(
            "PRT703", f"no floating dtype is called {name!r}", hint=f"one of {choices}"
        )
    return dtype


def cast(values: Array, source: Dtype, target: Dtype) -> Array:
    """Return `values` rounded to nearest, ties to even, from one floating dtype to another.

    The shape is kept. Values go to bfloat16 through float32, as in torch.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return _narrow(_widen(values, source), target)


def measure_cast(before: Array, source: Dtype, after: Array, target: Dtype) -> CastReport:
    """Compare the values `before` and `after` a cast from `source` to `target`."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        old, new = _widen(before, source), _widen(after, target)
        changed = old != new.astype(np.promote_types(old.dtype, new.dtype))
        old, new = old[changed].astype("<f8"), new[changed].astype("<f8")
        finite = np.isfinite(old)
        overflowed = finite & ~np.isfinite(new)
        error = np.abs(old - new)[finite & ~overflowed]
    return CastReport(
        int(overflowed.sum()),
        int((finite & (new == 0)).sum()),
        int(finite.sum()),
        float(error.max(initial=0.0)),
    )


def _widen(values: Array, dtype: Dtype) -> Array:
    """Return bfloat16 bits as float32 and leave any other array alone."""
    if dtype.name != "bfloat16":
        return values
    # Without asarray a tensor of rank 0 would decay to a scalar under the shift.
    return np.asarray(values.astype("<u4") << np.uint32(16)).view("<f4")


def _narrow(values: Array, dtype: Dtype) -> Array:
    if dtype.name != "bfloat16":
        return values.astype(dtype.storage)
    wide = np.asarray(values, dtype="<f4")
    bits = wide.view("<u4")
    # The sum wraps for some NaN only, and rounding could carry others into infinity: all of them
    # become the one quiet NaN.
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.asarray(np.where(np.isnan(wide), np.uint32(0x7FC0), rounded)).astype("<u2")
