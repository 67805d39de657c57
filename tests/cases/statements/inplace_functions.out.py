"""Functions that update their first argument in place, and items that are set."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.elementary import exp
from .runtime.initialization import zeros_
from .runtime.inplace import update


class Model(nn.Cell):
    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        x = ops.relu(x)
        x = ops.relu(x)
        h = x + y
        h = ops.relu(h)  # a statement
        h = ops.relu(h)
        z = ops.relu(h)
        z = ops.relu(z + 1)
        z = ops.relu(z.view((-1,)))
        h = ops.dropout(h, p=0.1, training=self.training)
        y[:, 0] = 0
        y[0] += 1
        h.data = z
        made = ops.zeros((3,))
        made[0] = 1
        made = ops.clamp(
            made, min=0,  # at least
            max=1,
        )
        return h + z + made


def outside(x: ms.Tensor) -> ms.Tensor:
    y = x + 1
    update(y, exp(y))
    update(y, y.hypot(x).astype(y.dtype))
    zeros_(y)
    return y
