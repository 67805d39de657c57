# class: Wanted
"""Only what the wanted class reaches is kept."""

import math

import mindspore as ms
from mindspore import nn, ops


from .runtime.inplace import update

SCALE = math.sqrt(2.0)
A, B = 1, 2


def helper(x: ms.Tensor) -> ms.Tensor:
    """Used by the block."""
    return x * SCALE


# Comment of the block.
class Block(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Dense(width, width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return helper(self.layer(x)) + A


# Comment of the wanted class.
class Wanted(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.block = Block(width)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Dense):
            update(module.weight, ops.randn_like(module.weight) * 0.02 + 0.0)

    def construct(self, x: ms.Tensor, other=None) -> ms.Tensor:
        return self.block(x)
