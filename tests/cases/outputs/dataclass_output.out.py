"""Structured results of dataclasses and NamedTuples."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import mindspore as ms
from mindspore import nn

from .runtime.outputs import NamedOutputCell, named_output


@dataclass
class Result:
    hidden: ms.Tensor
    pooled: Optional[ms.Tensor] = None


class Pair(NamedTuple):
    first: ms.Tensor
    second: ms.Tensor


class Encoder(NamedOutputCell):
    """Always gives both fields."""

    output_class = Result
    output_fields = ("hidden", "pooled")

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 3)

    def construct(self, x: ms.Tensor) -> Result:
        x = self.layer(x)
        # both are there
        return {
            "hidden": x,  # the whole
            "pooled": x[:, 0],
        }


class Optionally(NamedOutputCell):
    output_class = Result

    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def construct(self, x: ms.Tensor, pool: bool = False) -> Result:
        out = self.encoder(x)
        pooled = out["pooled"] if pool else None
        return named_output(hidden=out["hidden"] + out["hidden"], pooled=pooled)


class User(NamedOutputCell):
    output_class = Pair
    output_fields = ("first", "second")

    def __init__(self):
        super().__init__()
        self.inner = Optionally()

    def construct(self, x: ms.Tensor) -> Pair:
        out = self.inner(x)
        y = out.get("hidden")
        if out.get("pooled") is not None:
            y = y + out.get("pooled")
        return {"first": x, "second": y}


class Reader(nn.Cell):
    def __init__(self):
        super().__init__()
        self.user = User()

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        pair = self.user(x)
        first, second = self.user(x)
        return pair["first"] + pair["second"] + first + second
