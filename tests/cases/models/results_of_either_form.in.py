import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutputWithPooling


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, return_dict=None):
        states = self.linear(x)
        if not return_dict:
            return (states, states.sum(1))
        return BaseModelOutputWithPooling(pooler_output=states.sum(1), last_hidden_state=states)


class Middle(nn.Module):
    """A result that is given, or made here in the form that is asked for."""

    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor, outputs=None, return_dict=None) -> torch.Tensor:
        if outputs is None:
            outputs = self.inner(x, return_dict=return_dict)
        elif return_dict and not isinstance(outputs, BaseModelOutputWithPooling):
            outputs = BaseModelOutputWithPooling(last_hidden_state=outputs[0], pooler_output=outputs[1])
        return outputs[0] * 2 + outputs[1].unsqueeze(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.middle = Middle()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result = self.middle(x, return_dict=True) * self.middle(x, return_dict=False)
        return result + self.middle(x, outputs=(x, x.sum(1)), return_dict=True)
