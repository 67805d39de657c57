"""Lists and dictionaries of parameters, which keep their names."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.containers import ParameterDict, ParameterList


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scales = ParameterList([ms.Parameter(ops.ones((8,))) for _ in range(2)])
        self.scales.append(ms.Parameter(ops.zeros((8,))))
        self.shifts = ParameterDict({"near": ms.Parameter(ops.zeros((8,)))})
        self.shifts["far"] = ms.Parameter(ops.ones((8,)))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        for scale in self.scales.held:
            x = x * (scale + 1)
        for position in range(len(self.scales.held)):
            x = x + self.scales.held[position]
        return x * self.scales.held[-1] + self.shifts.held["near"] * self.shifts.held["far"]
