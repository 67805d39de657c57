"""Name the dtypes that torch, safetensors and MindSpore share, and cast between the floats.

NumPy has no bfloat16: everywhere in porter.weights a bfloat16 tensor is an array of uint16 that
holds its bits, and the dtype's name travels beside the array.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.types import PorterError

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Dtype:
    """One dtype: porter's name for it, the safetensors and MindSpore names, and its storage.

    A name is None where that side has no file for it: mindspore.load_checkpoint of 2.10 reads
    neither 8-bit floats nor complex numbers from any format.
    """

    name: str
    safetensors: str | None
    mindspore: str | None
    storage: np.dtype[Any]

    @property
    def floating(self) -> bool:
        """Tell whether the values are floating-point numbers."""
        return self.name in _BITS or self.storage.kind == "f"


# Floats that NumPy does not have travel as their bits.
_BITS = ("bfloat16", "float8_e4m3fn", "float8_e5m2")

DTYPES = {
    name: Dtype(name, safetensors, mindspore, np.dtype(storage))
    for name, safetensors, mindspore, storage in (
        ("bool", "BOOL", "Bool", "?"),
        ("uint8", "U8", "UInt8", "<u1"),
        ("int8", "I8", "Int8", "<i1"),
        ("float8_e4m3fn", "F8_E4M3", None, "<u1"),
        ("float8_e5m2", "F8_E5M2", None, "<u1"),
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
        ("complex64", "C64", None, "<c8"),
        ("complex128", None, None, "<c16"),
    )
}
BY_SAFETENSORS = {item.safetensors: item for item in DTYPES.values() if item.safetensors}
BY_MINDSPORE = {item.mindspore: item for item in DTYPES.values() if item.mindspore}


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

    def __add__(self, other: CastReport) -> CastReport:
        """Join the reports of two pieces of one tensor."""
        return CastReport(
            self.overflowed + other.overflowed,
            self.vanished + other.vanished,
            self.rounded + other.rounded,
            max(self.greatest_error, other.greatest_error),
        )


def find_float(name: str) -> Dtype:
    """Return the floating dtype called `name`.

    Raises PorterError (PRT703) for any other name.
    """
    choices = {item.name: item for item in BY_MINDSPORE.values() if item.floating}
    dtype = choices.get(name)
    if dtype is None:
        raise PorterError(
            "PRT703", f"no floating dtype is called {name!r}", hint=f"one of {', '.join(choices)}"
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
    """Return the bits of a float that NumPy lacks as float32, and leave any other array alone."""
    if dtype.name in _EIGHT_BITS:
        return np.asarray(_eight_bit_values(*_EIGHT_BITS[dtype.name])[values])
    if dtype.name != "bfloat16":
        return values
    # Without asarray a tensor of rank 0 would decay to a scalar under the shift.
    return np.asarray(values.astype("<u4") << np.uint32(16)).view("<f4")


# Bits of the exponent, its bias, and whether the format has infinities.
_EIGHT_BITS = {"float8_e4m3fn": (4, 7, False), "float8_e5m2": (5, 15, True)}


@functools.cache
def _eight_bit_values(exponent_bits: int, bias: int, infinite: bool) -> Array:
    """Return the float32 value of each of the 256 patterns of an 8-bit float.

    With infinities the format follows IEEE 754; without, only all ones are NaN, as in the format
    that torch calls float8_e4m3fn.
    """
    bits = np.arange(256)
    mantissa_bits = 7 - exponent_bits
    exponent = (bits & 0x7F) >> mantissa_bits
    fraction = (bits & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    magnitude = np.where(
        exponent == 0,
        np.ldexp(fraction, 1 - bias),
        np.ldexp(1 + fraction, exponent - bias),
    )
    if infinite:
        top = exponent == (1 << exponent_bits) - 1
        magnitude = np.where(top, np.where(fraction == 0, np.inf, np.nan), magnitude)
    else:
        magnitude = np.where((bits & 0x7F) == 0x7F, np.nan, magnitude)
    return np.copysign(magnitude, np.where(bits & 0x80, -1.0, 1.0)).astype("<f4")


def _narrow(values: Array, dtype: Dtype) -> Array:
    if dtype.name != "bfloat16":
        return values.astype(dtype.storage)
    wide = np.asarray(values, dtype="<f4")
    bits = wide.view("<u4")
    # The sum wraps for some NaN only, and rounding could carry others into infinity: all of them
    # become the one quiet NaN.
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.asarray(np.where(np.isnan(wide), np.uint32(0x7FC0), rounded)).astype("<u2")
