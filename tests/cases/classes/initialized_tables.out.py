"""What only the initialization of weights calls works on the host, with NumPy."""

import numpy as np
import mindspore as ms
from mindspore import nn, ops

from .runtime.embedding import Embedding
from .runtime.inplace import update


class Sinusoids(Embedding):
    def __init__(self, positions: int, width: int):
        super().__init__(positions, width, _freeze=True)

    def create_weight(self) -> ms.Tensor:
        positions, width = self.weight.shape
        angles = np.array([[p / np.power(100, i / width) for i in range(width)] for p in range(positions)])
        return ms.tensor(np.sin(angles), dtype=ms.float32)

    def construct(self, length: int) -> ms.Tensor:
        return super().construct(ops.arange(length))


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.positions = Sinusoids(8, 4)
        self._init_weights(self.positions)

    def _init_weights(self, module: nn.Cell) -> None:
        if isinstance(module, Sinusoids):
            update(module.weight, ops.broadcast_to(module.create_weight(), module.weight.shape).astype(module.weight.dtype))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return x + self.positions(x.shape[1])
