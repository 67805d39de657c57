"""Names that only one branch binds."""

import mindspore as ms
from mindspore import nn


class Model(nn.Cell):
    def construct(self, x: ms.Tensor, cache=None, mask: ms.Tensor | None = None, kind: int = 0):
        # Only with a cache.
        current = None
        first = None
        second = None
        if cache is not None:
            current = cache
            first, second = current, 1
        if mask is not None:
            shift = x * mask
        else:
            shift = x
        scale = None
        if kind == 1:
            scale = 2.0
        elif kind == 2:
            scale = 3.0
            unused = 4.0
        if kind == 3:
            raise ValueError("no")
        else:
            bias = 1.0
        again = None
        for _ in range(2):
            if kind == 4:
                again = x
            x = x + (again if kind == 4 else 0)
        if cache is not None:
            x = current(x) + first + second
        if kind:
            x = x * scale
        return x + shift + bias
