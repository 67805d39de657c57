import mindspore as ms
from mindspore import nn, ops

from .runtime.normalization import layer_norm


class Model(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(ops.ones((8,)))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        device = "cpu"
        y = layer_norm(x, normalized_shape=(8,), weight=self.weight, eps=1e-3)
        if device == "cuda":
            y = y * 2
        shifted = ops.zeros(x.shape)
        if self.training:
            pass
        return layer_norm(y * 2 + shifted, normalized_shape=(8,), weight=self.weight, eps=1e-3)
