"""What a port answers in the one process and on the one device that it runs on."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.seeding import seed


def ranks() -> list:
    group = None
    here = (0, 0)
    return [here, 1, 0, 0]


def gathered(x: ms.Tensor) -> ms.Tensor:
    parts = (x,)
    return ops.cat(parts)


def prepared(model: nn.Cell, x: ms.Tensor) -> nn.Cell:
    drawn = seed()
    model(x, drawn)
    model(x, drawn)
    model(ops.zeros_like(x), drawn)
    return model
