"""A model whose result has names, one of which may be absent."""

from dataclasses import dataclass
from typing import Optional

import mindspore as ms
from mindspore import nn, ops

from .runtime.outputs import NamedOutputCell, named_output


@dataclass
class Result:
    hidden: ms.Tensor
    pooled: Optional[ms.Tensor] = None


class Encoder(NamedOutputCell):
    output_class = Result

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor, pool: bool = False) -> Result:
        hidden = ops.relu(self.layer(x))
        pooled = None
        if pool:
            pooled = hidden[:, 0]
        return named_output(hidden=hidden, pooled=pooled)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Dense(8, 3)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        out = self.encoder(x, pool=True)
        plain = self.encoder(x)
        y = plain.get("hidden")
        if plain.get("pooled") is None:
            y = y + 1
        if out.get("pooled") is not None:
            y = y + out.get("pooled").unsqueeze(1)
        return self.head(y + out.get("hidden"))
