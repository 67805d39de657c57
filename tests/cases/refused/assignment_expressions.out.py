import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def construct(self, x: ms.Tensor, other=None) -> ms.Tensor:
        if other is not None and (n := other.shape[0]) > 1:
            x = x * n
        y = [m * 2 for i in range(2) if (m := x + i) is not None]
        z = ops.relu(x) + (x := x + 1)
        while (n := x.shape[0]) > 3:
            x = x[1:]
        return x + y[0] + z + n
