"""Augmented assignment on tensors, and on all else."""

import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        total = 0
        total += 1
        x = x + y
        z = ops.relu(x)
        z = z * (y + 1)  # scaled
        z = z - (y if total else x)
        z = z / 2
        z = z @ y.swapaxes(0, 1)
        sizes = [1]
        sizes += [x.shape[0]]
        z[0] += y[0]
        self.count += 1
        return z
