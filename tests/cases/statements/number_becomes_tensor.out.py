"""A number that tensors are added to is updated in no place that others see."""

import mindspore as ms
from mindspore import nn


class Buckets(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        total = 0
        total += (x > 0).astype(ms.int64) * 2
        other = x
        other = other + total
        return other
