# class: Encoder
"""A class beside whose forward stand methods that no graph can hold."""

import mindspore as ms
from mindspore import nn


def stack_of(layers: int):
    return nn.CellList([nn.Dense(4, 4) for _ in range(layers)])


class Encoder(nn.Cell):
    def __init__(self, layers: int = 2):
        super().__init__()
        self.layers = stack_of(layers)
        self.scale = 2.0

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        for layer in self.layers:
            x = self.step(layer, x)
        return x

    def step(self, layer: nn.Cell, x: ms.Tensor) -> ms.Tensor:
        # Used by forward: what cannot be carried over here is an error.
        return layer(x) * self.scale

    # Hooks are of no use in a graph.
    def watch(*args, **kwargs):
        raise NotImplementedError("watch was not carried over (PRT216)")

    @classmethod
    def restored(*args, **kwargs):
        raise NotImplementedError("restored was not carried over (PRT216)")

    @property
    def device_name(*args, **kwargs):
        raise NotImplementedError("device_name was not carried over (PRT216)")

    def keep(*args, **kwargs):
        raise NotImplementedError("keep was not carried over (PRT216)")

    def width(self) -> int:
        return self.layers[0].in_channels
