"""A table of lambdas that graph code looks up, and a `try` that only says what went wrong."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.kinds = ["twice", "shifted", "twice"]
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        options = {"value": x, "amount": 2}
        makers = {
            "twice": lambda: options["value"] * options["amount"],
            "shifted": lambda: self.linear(options["value"]).transpose(1, 2),
            "never": lambda: options["missing"],
        }
        made = {"nothing": x}
        made["nothing"] = None
        made["function"] = lambda value: value + 1
        for kind in set(self.kinds):
            made[kind] = makers[kind]()
        for kind in self.kinds:
            x = x + made[kind].sum(dim=1, keepdim=True).mean()
        if made["nothing"] is None:
            x = made["function"](x)
        try:
            # a width of 8 is meant
            x = self.linear(x)
        except RuntimeError as error:
            raise ValueError("the width is not 8") from error
        return x
