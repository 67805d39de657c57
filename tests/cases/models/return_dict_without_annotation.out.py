"""A result that is a plain tuple where that is asked for, and nothing says what it is."""

import mindspore as ms
from mindspore import nn

from .runtime.modeling_outputs import BaseModelOutputWithPooling
from .runtime.outputs import NamedOutputCell, named_output


class Inner(NamedOutputCell):
    output_class = BaseModelOutputWithPooling

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor, return_dict=None):
        return_dict = return_dict if return_dict is not None else True
        hidden = self.layer(x)
        if not return_dict:
            return (hidden,) + (x,)
        return named_output(last_hidden_state=hidden, pooler_output=x)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def construct(self, x: ms.Tensor):
        return self.inner(x)["last_hidden_state"] + self.inner(x, return_dict=False)[1]
