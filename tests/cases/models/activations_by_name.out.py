import mindspore as ms
from mindspore import nn

from .runtime.activations import ACT2FN, ACTIVATIONS


def activated(x: ms.Tensor, name: str | None = None) -> ms.Tensor:
    return x if name is None else ACTIVATIONS[name](x)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.name = "silu"
        self.act = ACT2FN["gelu"]

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.act(x) + ACTIVATIONS[self.name](x)
        return activated(x, "gelu_new") + activated(x)
