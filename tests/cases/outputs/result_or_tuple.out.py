"""A result that is a plain tuple where that is asked for."""

import mindspore as ms
from mindspore import nn

from .runtime.modeling_outputs import BaseModelOutputWithPooling
from .runtime.outputs import NamedOutputCell, named_output


class Model(NamedOutputCell):
    output_class = BaseModelOutputWithPooling

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 3)

    def construct(
        self, x: ms.Tensor, return_dict: bool = True
    ) -> tuple | BaseModelOutputWithPooling:
        hidden = self.layer(x)
        if x.shape[0] > 1:
            pooled = self.layer(hidden)
        else:
            pooled = (hidden, hidden)
        if not return_dict:
            return hidden, pooled
        return named_output(last_hidden_state=hidden, pooler_output=hidden)
