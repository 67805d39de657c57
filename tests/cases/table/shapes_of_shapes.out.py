"""Functions of shapes, which are tuples of int."""

import mindspore as ms
from mindspore import ops

from .runtime.stacking import broadcast_shapes


def joined(x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
    shape = broadcast_shapes((x.shape, (2, 1), y.shape))
    return ops.zeros(shape) + ops.ones(tuple([1]))
