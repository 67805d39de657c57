"""Comments at the ends of blocks that vanish, and in the heads of statements."""

import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def construct(
        self,
        x: ms.Tensor,  # the input
    ) -> ms.Tensor:
        # before the block
        # in the block
        y = ops.stop_gradient(ops.relu(x))
        # at the end of the block
        # after the block
        if x.shape[0] > 1:
            y = ops.stop_gradient(ops.relu(y))
            # at the end of both blocks
        # which size
        # the first
        if (
            # above the test
            x.shape[0]
            > 1
        ):
            # between
            y = x + y
        return y
