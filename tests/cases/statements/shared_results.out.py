"""Modules and functions that change what they get, or give it back."""

import mindspore as ms
from mindspore import nn, ops


def drop_path(x: ms.Tensor, rate: float, training: bool) -> ms.Tensor:
    if rate == 0.0 or not training:
        return x
    return x * ops.rand((1,))


class DropPath(nn.Cell):
    def __init__(self, rate: float):
        super().__init__()
        self.rate = rate

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return drop_path(x, self.rate, self.training)


class Updating(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.block = nn.SequentialCell(nn.Dropout(p=0.1), nn.ReLU(), nn.Dense(3, 3))
        self.plain = nn.SequentialCell(nn.Dense(3, 3), nn.ReLU())

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        h = self.plain(x)  # the sum is new, and nobody else has it
        h = self.relu(h)
        h = self.relu(h + 1)
        first = self.relu(h)  # h is changed, too
        second = self.block(x)  # the caller's x
        return first + second + h


class Sharing(nn.Cell):
    def __init__(self, dropped: bool):
        super().__init__()
        self.dropout = nn.Dropout(p=0.1) if dropped else nn.Identity()
        self.path = DropPath(0.1)
        self.linear = nn.Dense(3, 3)

    def construct(self, x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        h = self.linear(x)
        h = self.dropout(h)
        h = h + y  # only h
        h = h.view((-1, 3))
        h = h + y  # only h
        g = self.dropout(x)
        g = g + y  # x, in evaluation mode
        p = self.path(h)
        p = p + y  # h, in evaluation mode
        d = ops.dropout(h, p=0.1, training=self.training)
        d = d + y  # h, in evaluation mode
        n = self.linear(h)
        n = n + y  # only n
        return g + h + p + d + n
