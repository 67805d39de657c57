import mindspore as ms
from mindspore import nn


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.linear = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor, **kwargs) -> ms.Tensor:
        scale = kwargs.get("scale", 2.0)
        kwargs = {key: value for key, value in kwargs.items() if key != "scale"}
        kwargs = {key: value for key, value in kwargs.items() if key != "unused"}
        if "scale" in kwargs:
            scale = 100.0
        return self.linear(x) * scale + kwargs.get("shift", 0.0)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.layer(x, scale=3.0, unused=1) + self.layer(x, shift=1.0)
