"""Devices that something reads are kept as their names."""


import mindspore as ms
from mindspore import nn


class Model(nn.Cell):
    def __init__(self, device=None):
        super().__init__()
        self.linear = nn.Dense(4, 4)
        if device is None:
            device = "cpu"
        elif isinstance(device, str):
            device = device
        self.device = device
        print("made on", device.partition(":")[0])

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.linear(x)


def second(index: int):
    return "%s:%s" % ("cuda", index)


def unread(x: ms.Tensor) -> ms.Tensor:
    return x
