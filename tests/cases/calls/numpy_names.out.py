"""NumPy's names of parameters, tensors made to be filled, and modules from a generator."""

import mindspore as ms
from mindspore import mint, nn, ops


class Model(nn.Cell):
    def __init__(self, count: int):
        super().__init__()
        self.layers = nn.CellList(list((nn.Dense(3, 3) for _ in range(count))))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        filled = ops.zeros_like(x) + 2
        bounded = ops.clamp((x + filled), min=0)
        for layer in self.layers:
            x = layer(x)
        return mint.sum(x, dim=1, keepdim=True) + bounded.mean(axis=-1, keep_dims=True)
