"""Functions of torch.nn.init, the ones of old names too."""

import mindspore as ms
from mindspore import nn

from .runtime.initial_patterns import dirac_, eye_, orthogonal_, sparse_
from .runtime.initialization import constant_, uniform_


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(4, 4)
        self.convolution = nn.Conv1d(2, 2, 3, pad_mode="pad", has_bias=True)
        orthogonal_(self.layer.weight, gain=2.0)
        orthogonal_(self.layer.weight)
        eye_(self.layer.weight)
        sparse_(self.layer.weight, sparsity=0.5, std=0.1)
        dirac_(self.convolution.weight)
        constant_(self.layer.bias, val=0.5)
        uniform_(self.layer.bias)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.layer(x)
