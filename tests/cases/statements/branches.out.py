# class: Model
"""Branches that only classes outside of the port could take."""

import mindspore as ms
from mindspore import nn


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 3)

    def first(self, module):
        # above the branch
        if isinstance(module, nn.Dense):
            module.b = 2  # first
        else:
            module.c = 3

    def middle(self, module):
        if isinstance(module, nn.Dense):
            module.b = 2
        elif isinstance(module, nn.LayerNorm):
            module.c = 3

    def last(self, module):
        if isinstance(module, nn.Dense):
            module.b = 2
        else:
            module.c = 3

    def very_last(self, module):
        if isinstance(module, nn.Dense):
            module.b = 2

    def only(self, module):
        pass

    def mixed(self, module):
        if isinstance(module, (nn.Dense)):
            module.a = 1

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.layer(x)
