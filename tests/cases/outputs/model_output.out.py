"""Structured results of transformers."""

import mindspore as ms
from mindspore import nn
from dataclasses import dataclass

from .runtime.modeling_outputs import BaseModelOutput
from .runtime.outputs import ModelOutput, NamedOutputCell, named_output


@dataclass
class OwnOutput(ModelOutput):
    """A result of the source itself."""

    loss: ms.Tensor | None = None
    logits: ms.Tensor | None = None


class Encoder(NamedOutputCell):
    output_class = BaseModelOutput
    output_fields = ("last_hidden_state",)

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 3)

    def construct(self, x: ms.Tensor, **kwargs) -> tuple | BaseModelOutput:
        return {"last_hidden_state": self.layer(x)}


class Model(NamedOutputCell):
    output_class = OwnOutput

    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Dense(3, 2)

    def construct(self, x: ms.Tensor, labels: ms.Tensor | None = None) -> OwnOutput:
        hidden = self.encoder(x)["last_hidden_state"]
        states = self.encoder(x).get("hidden_states")
        logits = self.head(hidden)
        loss = None
        if labels is not None:
            loss = ((logits - labels) ** 2).mean()
        return named_output(loss=loss, logits=logits)
