"""Create tensors and read the limits of dtypes inside the graph."""

# ruff: noqa: A002

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mindspore as ms
from mindspore import Tensor, ops


@dataclass
class Limits:
    """The limits of a dtype; `eps` and `tiny` are those of a floating-point one."""

    bits: int
    min: float
    max: float
    eps: float = 0.0
    tiny: float = 0.0
    smallest_normal: float = 0.0


def _floating(bits: int, max: float, eps: float, tiny: float) -> Limits:
    return Limits(bits, -max, max, eps, tiny, tiny)


_FLOAT16 = _floating(16, 65504.0, 2.0**-10, 2.0**-14)
_BFLOAT16 = _floating(16, 3.3895313892515355e38, 2.0**-7, 2.0**-126)
_FLOAT32 = _floating(32, 3.4028234663852886e38, 2.0**-23, 2.0**-126)
_INT8 = Limits(8, -(2**7), 2**7 - 1)
_UINT8 = Limits(8, 0, 2**8 - 1)
_INT16 = Limits(16, -(2**15), 2**15 - 1)
_INT32 = Limits(32, -(2**31), 2**31 - 1)
_INT64 = Limits(64, -(2**63), 2**63 - 1)


def finfo(type: ms.Type = ms.float32) -> Limits:
    """Return the limits of a floating-point dtype.

    Raises TypeError for float64, whose limits are no constants of the graph, and for other dtypes.
    """
    if type == ms.float32:
        return _FLOAT32
    if type == ms.float16:
        return _FLOAT16
    if type == ms.bfloat16:
        return _BFLOAT16
    if type == ms.float64:
        raise TypeError("the limits of float64 are no constants: those of the graph are float32")
    raise TypeError(f"finfo is for floating-point dtypes, not {type}")


def iinfo(type: ms.Type) -> Limits:
    """Return the limits of an integer dtype. Raises TypeError for other dtypes."""
    if type == ms.int64:
        return _INT64
    if type == ms.int32:
        return _INT32
    if type == ms.int16:
        return _INT16
    if type == ms.int8:
        return _INT8
    if type == ms.uint8:
        return _UINT8
    raise TypeError(f"iinfo is for integer dtypes, not {type}")


TYPE_NAMES = {
    ms.float32: "Float",
    ms.float64: "Double",
    ms.float16: "Half",
    ms.bfloat16: "BFloat16",
    ms.uint8: "Byte",
    ms.int8: "Char",
    ms.int16: "Short",
    ms.int32: "Int",
    ms.int64: "Long",
    ms.bool_: "Bool",
    ms.complex64: "ComplexFloat",
    ms.complex128: "ComplexDouble",
}


def type_name(tensor: Tensor) -> str:
    """Return what torch calls the type of a tensor: "torch.FloatTensor"."""
    return f"torch.{TYPE_NAMES[tensor.dtype]}Tensor"


def is_floating(dtype: ms.Type) -> bool:
    """Tell whether a dtype is one of floating-point numbers."""
    return dtype in (ms.float16, ms.bfloat16, ms.float32, ms.float64)


def is_complex(dtype: ms.Type) -> bool:
    """Tell whether a dtype is one of complex numbers."""
    return dtype in (ms.complex64, ms.complex128)


def itemsize(dtype: ms.Type) -> int:
    """Return the bytes of one element."""
    return 2 if dtype == ms.bfloat16 else int(ms.dtype_to_nptype(dtype)(0).itemsize)


def device_index(device: str) -> int | None:
    """Return the number in the name of a device: 1 of "cuda:1", None of "cpu"."""
    number = device.partition(":")[2]
    return int(number) if number else None


def full(size: tuple[int, ...], fill_value: float) -> Tensor:
    """Return a tensor of one value: bool, int64 or float32, as the value is."""
    if isinstance(fill_value, bool):
        return ops.full(size, fill_value, dtype=ms.bool_)
    if isinstance(fill_value, int):
        return ops.full(size, fill_value, dtype=ms.int64)
    return ops.full(size, fill_value, dtype=ms.float32)


def from_numpy(ndarray: Any) -> Tensor:
    """Return a tensor inside the graph as it is; outside, copy an array with its dtype."""
    return ndarray if isinstance(ndarray, Tensor) else Tensor(ndarray)


def tensor_of(values: Any, dtype: ms.Type) -> Tensor:
    """Return a tensor of values; of a number, which torch's classes take for a size, that long."""
    if isinstance(values, int):
        return ops.zeros((values,), dtype)
    return values.astype(dtype) if isinstance(values, Tensor) else ms.tensor(values, dtype=dtype)


def converted(input: Tensor, target: Any) -> Tensor:
    """Return a tensor as `x.to(target)`: of a dtype, or that of another tensor.

    A device, which is its name in a port, and None change nothing.
    """
    if target is None or isinstance(target, str):
        return input
    if isinstance(target, Tensor):
        return input.astype(target.dtype)
    return input.astype(target)
