import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.heads = 2
        self.project = nn.Dense(8, 24)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        parts = ops.chunk(self.project(x), 3, axis=-1)
        q, k, v = [t.reshape((2, 5, self.heads, 4)).swapaxes(1, 2) for t in parts]
        scores = ops.softmax(q @ k.swapaxes(-1, -2), axis=-1)
        return (scores @ v).swapaxes(1, 2).reshape((2, 5, 8))
