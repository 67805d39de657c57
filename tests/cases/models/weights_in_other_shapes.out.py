"""The weight of a convolution over one axis, and something unknown that goes to a device."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.convolution import conv1d
from .runtime.shaping import squeeze


def kept(values: dict, name: str):
    return values[name]


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(5, 5, 3, group=5, has_bias=False, pad_mode="pad")

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        y = conv1d(x, weight=squeeze(ops.squeeze(self.conv.weight, 2), 1).unsqueeze(1), groups=5)
        z = kept({"value": y}, "value")
        return self.conv(x) + 2 * z - z
