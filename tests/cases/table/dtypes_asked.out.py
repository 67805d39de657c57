"""What is asked of dtypes: which one two are promoted to, and what kind it is."""

import mindspore as ms

from .runtime.creation import is_floating, itemsize
from .runtime.joining import promoted


def common(x: ms.Tensor, y: ms.Tensor) -> bool:
    dtype = promoted(x.dtype, y.dtype)
    if False or False:
        return False
    return is_floating(dtype) and itemsize(x.dtype) == 4
