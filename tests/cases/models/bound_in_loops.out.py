import mindspore as ms
from mindspore import nn


class Model(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(8, 8) for _ in range(2)])

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        state = x
        first = None
        i = None
        output = None
        part = None
        for i, layer in enumerate(self.layers):
            output = layer(state)
            if i == 0:
                first = output * 2
            for step in range(2):
                part = output + step
            state = output
        return output + first + part * i
