import mindspore as ms
from mindspore import nn

from .runtime.layers import LayerNorm, Linear


class Model(nn.Cell):
    def __init__(self, width, norm_layer=LayerNorm):
        super().__init__()
        kinds = {nn.Dense: 1, nn.LayerNorm: 2}
        makers = {"norm": LayerNorm, "linear": Linear}
        self.layers = nn.CellList([nn.Dense(width, width), norm_layer(width)])
        for layer in self.layers:
            if type(layer) is nn.Dense or layer.__class__ == nn.Dense:
                kinds[type(layer)] += 1
        if norm_layer is LayerNorm:
            self.layers.append(makers["norm"](width))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x
