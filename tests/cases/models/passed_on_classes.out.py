from functools import partial

import mindspore as ms
from mindspore import nn

from .runtime.layers import LayerNorm, Linear
from .runtime.passed_on import Dropout, Identity, ReLU, ReLU6, SiLU
from .runtime.shaping import squeeze
from .runtime.stateless_layers import GELU


class Block(nn.Cell):
    def __init__(self, width, act_layer=GELU, norm_layer=LayerNorm, drop=Dropout, linear=Linear):
        super().__init__()
        self.norm = norm_layer(width)
        self.inner = linear(width, 2 * width, bias=False)
        self.act = act_layer()
        self.drop = drop(0.3)
        self.outer = linear(2 * width, width)
        self.last = norm_layer(width, eps=1e-3) if norm_layer is not Identity else None

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = x + self.outer(self.drop(self.act(self.inner(self.norm(x)))))
        return x if self.last is None else self.last(x)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        norm = Identity
        self.blocks = nn.CellList(
            [
                Block(8),
                Block(8, act_layer=partial(ReLU, inplace=True), norm_layer=norm),
                Block(8, SiLU, partial(LayerNorm, eps=1e-6), drop=Identity),
            ]
        )
        self.channels = nn.CellList([layer() for layer in {1: ReLU6, 2: Identity}.values()])

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        for block in self.blocks:
            x = block(x)
        x = x.unsqueeze(-1)
        for layer in self.channels:
            x = layer(x)
        return squeeze(x, -1)
