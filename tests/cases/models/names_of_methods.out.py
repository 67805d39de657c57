"""Methods that call functions of the module which have their names."""

import mindspore as ms
from mindspore import nn


from .runtime.scalars import floor as scalars_floor


def scale(x: ms.Tensor, by: int = 2) -> ms.Tensor:
    return x * by


scale_function = scale


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.linear = nn.Dense(8, 8)

    def scale(self, x: ms.Tensor, by: int = 3) -> ms.Tensor:
        return scale_function(self.linear(x), by)

    def shift(self, x: ms.Tensor) -> ms.Tensor:
        return shift_function(x)

    def floor(self, x: ms.Tensor, length: int) -> ms.Tensor:
        return x + scalars_floor(length / 2)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.floor(self.shift(self.scale(x)), x.shape[1])


def shift(x: ms.Tensor) -> ms.Tensor:
    return x - 1


shift_function = shift
