import mindspore as ms
from mindspore import nn

from .runtime.layers import LayerNorm, Linear


class ChannelNorm(LayerNorm):
    """Normalise the second axis."""

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__(normalized_shape=width, eps=eps)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = super().construct(x.permute((0, 2, 1)))
        return x.permute((0, 2, 1))


class Scaled(Linear):
    def __init__(self, width: int, scale: float):
        super().__init__(width, width, bias=False)
        self.scale = scale

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return super().construct(x) * self.scale


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = ChannelNorm(5)
        self.linear = Scaled(8, 0.5)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.linear(self.norm(x))
