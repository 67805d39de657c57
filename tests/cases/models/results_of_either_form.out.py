import mindspore as ms
from mindspore import mint, nn

from .runtime.modeling_outputs import BaseModelOutputWithPooling
from .runtime.outputs import NamedOutputCell, item_at, named_output


class Inner(NamedOutputCell):
    output_class = BaseModelOutputWithPooling

    def __init__(self):
        super().__init__()
        self.linear = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor, return_dict=None):
        states = self.linear(x)
        if not return_dict:
            return (states, mint.sum(states, dim=1))
        return named_output(pooler_output=mint.sum(states, dim=1), last_hidden_state=states)


class Middle(nn.Cell):
    """A result that is given, or made here in the form that is asked for."""

    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def construct(self, x: ms.Tensor, outputs=None, return_dict=None) -> ms.Tensor:
        if outputs is None:
            outputs = self.inner(x, return_dict=return_dict)
        elif return_dict and not isinstance(outputs, BaseModelOutputWithPooling):
            outputs = named_output(last_hidden_state=outputs[0], pooler_output=outputs[1])
        return item_at(outputs, 0, ("last_hidden_state", "pooler_output", "hidden_states", "attentions")) * 2 + item_at(outputs, 1, ("last_hidden_state", "pooler_output", "hidden_states", "attentions")).unsqueeze(1)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.middle = Middle()

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        result = self.middle(x, return_dict=True) * self.middle(x, return_dict=False)
        return result + self.middle(x, outputs=(x, mint.sum(x, dim=1)), return_dict=True)
