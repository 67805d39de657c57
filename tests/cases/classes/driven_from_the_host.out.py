"""Methods that call the module as a whole work on the host, and so does what only they use."""

import numpy as np
import mindspore as ms
from mindspore import nn, ops

from .runtime.creation import from_numpy
from .runtime.normalization import norm


class Encoder(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Dense(width, width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.scaled(self.linear(x))

    def scaled(self, x: ms.Tensor) -> ms.Tensor:
        return x / norm(x, dim=1, keepdim=True)

    @staticmethod
    def steps(count: int, rate: float) -> list:
        step = int(np.round(count / rate))
        return [slice(*np.array([i, i + step])) for i in range(0, count, step)]

    def embed(self, values):
        parts = np.array([values[s] for s in self.steps(len(values), 2.0)])
        result = self(from_numpy(parts)).asnumpy()
        return self.scaled(np.mean(result, axis=0).astype(np.float32))

    def embed_all(self, many: list):
        return np.mean([self.embed(values) for values in many], axis=0)

    def encode(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(self.linear(x))
