import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput
from transformers.utils.generic import can_return_tuple


class Inner(nn.Module):
    @can_return_tuple
    def forward(self, x: torch.Tensor, **kwargs) -> BaseModelOutput:
        """Compute."""
        return BaseModelOutput(last_hidden_state=x * kwargs.get("scale", 1))


class Untouched(nn.Module):
    @can_return_tuple
    def forward(self, x: torch.Tensor, **kwargs) -> BaseModelOutput:
        return BaseModelOutput(last_hidden_state=x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.untouched = Untouched()

    @can_return_tuple
    def features(self, x: torch.Tensor, **kwargs) -> BaseModelOutput:
        return self.inner(x, return_dict=True, **kwargs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        features = self.features(x, scale=2, return_dict=True)
        return features.last_hidden_state + self.untouched(x).last_hidden_state
