import mindspore as ms
from mindspore import nn, ops

from .runtime.normalization import layer_norm


class Model(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(ops.ones((4,)))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        options = {"normalized_shape": (4,), "weight": self.weight, "eps": 1e-3}
        y = layer_norm(x, normalized_shape=(4,), weight=self.weight, eps=1e-3)
        changed = {"dim": 1}
        changed["keepdim"] = True
        size = 4
        late = {"normalized_shape": size}
        size = 3
        return y + layer_norm(x, **options) + x.sum(**changed) + layer_norm(x, **late)
