"""Options that are taken out of those that are passed on."""

import mindspore as ms
from mindspore import nn


def attend(x: ms.Tensor, scale: float = 1.0, **kwargs) -> ms.Tensor:
    return x * scale


class Model(nn.Cell):
    def __init__(self, **kwargs):
        super().__init__()
        kwargs.pop("unused", None)
        self.options = kwargs

    def construct(self, x: ms.Tensor, **kwargs) -> ms.Tensor:
        kwargs = {key: value for key, value in kwargs.items() if key != "is_causal"}  # not for the kernel
        return attend(x, **kwargs)
