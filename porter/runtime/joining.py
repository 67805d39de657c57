"""Give tensors that are joined the dtype that torch promotes them to."""

from __future__ import annotations

from collections.abc import Sequence

import mindspore as ms
from mindspore import Tensor

ORDER = (
    *(ms.bool_, ms.uint8, ms.int8, ms.int16, ms.int32, ms.int64),
    *(ms.float16, ms.bfloat16, ms.float32, ms.float64, ms.complex64, ms.complex128),
)


def promoted(first: ms.Type, second: ms.Type) -> ms.Type:
    """Return the dtype that holds the values of two others, as torch has it."""
    pair = {first, second}
    if pair == {ms.uint8, ms.int8}:
        return ms.int16
    if pair == {ms.float16, ms.bfloat16}:
        return ms.float32
    if pair == {ms.float64, ms.complex64}:
        return ms.complex128
    return max(first, second, key=ORDER.index)


def of_one_dtype(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Return tensors in the dtype that all of them are promoted to."""
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        dtype = promoted(dtype, tensor.dtype)
    return [tensor.astype(dtype) for tensor in tensors]
