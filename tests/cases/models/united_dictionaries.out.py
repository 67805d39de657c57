import mindspore as ms
from mindspore import nn, ops

from .runtime.containers import united


def scaled(x: ms.Tensor, factor: float = 1.0, shift: float = 0.0) -> ms.Tensor:
    return x * factor + shift


class Model(nn.Cell):
    def __init__(self, width: int = 8):
        super().__init__()
        self.limits = {"factor": 2.0}
        self.steps = ms.Parameter(ops.log(ops.arange(1, width + 1).astype(ms.float32)))

    def inner(self, x: ms.Tensor, **kwargs) -> ms.Tensor:
        options = united(kwargs, {"shift": 0.5})
        return scaled(x, **options)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        limits = united({"factor": 3.0, "shift": 1.0}, self.limits)
        return self.inner(x, factor=0.25, shift=2.0) * self.steps + scaled(x, **limits)
