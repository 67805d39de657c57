"""A `try` of which nothing stays, and one of which something does."""

import mindspore as ms
from mindspore import nn


class Model(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.rnn = nn.LSTM(width, width, batch_first=True)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        result, _ = self.rnn(x)
        return result


class Kept(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.rnn = nn.GRU(width, width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        try:
            x = x + 1
        except ValueError:
            pass
        return self.rnn(x)[0]
