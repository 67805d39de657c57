"""Positions count fields in the order of their class, and slices those that are not None."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import mindspore as ms
from mindspore import nn

from .runtime.modeling_outputs import BaseModelOutputWithPooling
from .runtime.outputs import ModelOutput, NamedOutputCell, named_output, positions


@dataclass
class Own(ModelOutput):
    first: Optional[ms.Tensor] = None
    second: Optional[ms.Tensor] = None


class Pair(NamedTuple):
    left: ms.Tensor
    right: Optional[ms.Tensor] = None


class Inner(NamedOutputCell):
    output_class = Own
    output_fields = ("second", "first")

    def construct(self, x: ms.Tensor) -> Own:
        return {"second": x + 1, "first": x * 2}


class Named(NamedOutputCell):
    output_class = Pair
    output_fields = ("right", "left")

    def construct(self, x: ms.Tensor) -> Pair:
        return {"right": x + 1, "left": x * 2}


class Encoder(NamedOutputCell):
    output_class = BaseModelOutputWithPooling

    def __init__(self, pooled: bool):
        super().__init__()
        self.pooler = nn.Dense(8, 8) if pooled else None

    def construct(self, x: ms.Tensor, states: bool = False) -> BaseModelOutputWithPooling:
        pooled = self.pooler(x) if self.pooler is not None else None
        return named_output(
            attentions=x * 4, pooler_output=pooled, last_hidden_state=x, hidden_states=None
        )


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.named = Named()
        self.encoder = Encoder(True)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        hidden, pooled = positions(self.encoder(x), ("last_hidden_state", "pooler_output", "hidden_states", "attentions"))[:2]
        last = positions(self.encoder(x), ("last_hidden_state", "pooler_output", "hidden_states", "attentions"))[-1]
        return self.inner(x)["first"] + 10 * self.named(x)["right"] + 100 * hidden + pooled + 1000 * last
