"""A position in a result whose later fields may be None."""

import mindspore as ms
from mindspore import nn

from .runtime.modeling_outputs import BaseModelOutputWithPooling
from .runtime.outputs import NamedOutputCell, named_output


class Encoder(NamedOutputCell):
    output_class = BaseModelOutputWithPooling

    def __init__(self, pooled: bool):
        super().__init__()
        self.layer = nn.Dense(3, 3)
        self.pooler = nn.Dense(3, 3) if pooled else None

    def construct(self, x: ms.Tensor) -> BaseModelOutputWithPooling:
        hidden = self.layer(x)
        pooled = self.pooler(hidden) if self.pooler is not None else None
        return named_output(last_hidden_state=hidden, pooler_output=pooled)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(False)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.encoder(x)["last_hidden_state"]
