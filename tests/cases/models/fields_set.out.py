from dataclasses import dataclass

import mindspore as ms
from mindspore import nn

from .runtime.outputs import NamedOutputCell, with_field


@dataclass
class Parts:
    hidden: ms.Tensor
    pooled: ms.Tensor | None = None
    extra: ms.Tensor | None = None


class Inner(NamedOutputCell):
    output_class = Parts
    output_fields = ("hidden", "pooled")

    def __init__(self):
        super().__init__()
        self.linear = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor) -> Parts:
        hidden = self.linear(x)
        return {"hidden": hidden, "pooled": hidden.mean(axis=1)}


class Outer(NamedOutputCell):
    output_class = Parts
    output_fields = ("hidden", "pooled", "extra")

    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.project = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor) -> Parts:
        parts = self.inner(x)
        parts = with_field(parts, "pooled", self.project(parts["pooled"]))
        parts = with_field(parts, "extra", parts["pooled"] * 2)
        return parts


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.outer = Outer()

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        parts = self.outer(x)
        return parts["hidden"] + parts["pooled"].unsqueeze(1) + parts["extra"].unsqueeze(1)
