"""A table of lambdas that graph code looks up, and a `try` that only says what went wrong."""

import mindspore as ms
from mindspore import mint, nn


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.kinds = ["twice", "shifted", "twice"]
        self.linear = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        options = {"value": x, "amount": 2}
        makers = {
            "twice": lambda: options["value"] * options["amount"],
            "shifted": lambda: self.linear(options["value"]).swapaxes(1, 2),
            "never": lambda: options["missing"],
        }
        made = {"nothing": x}
        made.update({"nothing": None})
        made.update({"function": (lambda value: value + 1)})
        for kind in set(self.kinds):
            made[kind] = makers[kind]()
        for kind in self.kinds:
            x = x + mint.sum(made[kind], dim=1, keepdim=True).mean()
        if made["nothing"] is None:
            x = made["function"](x)
        # a width of 8 is meant
        x = self.linear(x)
        return x
