"""Hidden states that transformers records by hooks, handed on by the port."""

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput
from transformers.modeling_utils import PreTrainedModel
from transformers.models.bert.configuration_bert import BertConfig
from transformers.utils.generic import can_return_tuple
from transformers.backbone_utils import filter_output_hidden_states
from transformers.utils.output_capturing import OutputRecorder, capture_outputs, select_hidden_states


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.linear = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x: torch.Tensor, **kwargs) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.tanh(self.linear(x)), x


class Stage(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList([Layer(config) for _ in range(config.num_hidden_layers)])

    def forward(self, x: torch.Tensor, **kwargs) -> torch.Tensor:
        for layer in self.layers:
            outputs = layer(x, **kwargs)
            x = outputs[0]
        return x


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.stage = Stage(config)

    def forward(self, states: torch.Tensor, **kwargs) -> BaseModelOutput:
        states = self.stage(states, **kwargs)
        return BaseModelOutput(last_hidden_state=states)


class Inner(PreTrainedModel):
    """The states come out of two modules further in."""

    config_class = BertConfig
    _can_record_outputs = {"hidden_states": Layer}

    def __init__(self, config):
        super().__init__(config)
        self.encoder = Encoder(config)
        self.norm = nn.Linear(config.hidden_size, config.hidden_size)

    @capture_outputs
    def forward(self, x: torch.Tensor, **kwargs) -> BaseModelOutput:
        outputs = self.encoder(states=x, **kwargs)
        return BaseModelOutput(last_hidden_state=self.norm(outputs.last_hidden_state))


class Direct(PreTrainedModel):
    """The states are those of the model's own layers, without the first input."""

    config_class = BertConfig
    _can_record_outputs = {"hidden_states": OutputRecorder(Layer, index=1, capture_initial_hidden_state=False)}

    def __init__(self, config):
        super().__init__(config)
        self.layers = nn.ModuleList([Layer(config) for _ in range(3)])

    @capture_outputs(tie_last_hidden_states=False)
    def forward(self, x: torch.Tensor, **kwargs) -> BaseModelOutput:
        for layer in self.layers:
            x, _ = layer(x)
        return BaseModelOutput(last_hidden_state=x)


class Filtered(PreTrainedModel):
    config_class = BertConfig

    def __init__(self, config):
        super().__init__(config)
        self.direct = Direct(config)

    @can_return_tuple
    @filter_output_hidden_states
    def forward(self, x: torch.Tensor, **kwargs) -> BaseModelOutput:
        outputs = self.direct(x, **kwargs)
        total = outputs.hidden_states[0] + outputs.hidden_states[2]
        return BaseModelOutput(last_hidden_state=total, hidden_states=outputs.hidden_states)


class Model(PreTrainedModel):
    config_class = BertConfig

    def __init__(self):
        super().__init__(BertConfig(hidden_size=8, num_hidden_layers=2))
        self.inner = Inner(self.config)
        self.filtered = Filtered(self.config)

    @select_hidden_states("layer")
    def selected(self, x: torch.Tensor, layer: int = -2, **kwargs) -> torch.Tensor:
        return self.inner(x, **kwargs).hidden_states[layer]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        states = self.inner(x, output_hidden_states=True).hidden_states
        result = states[0] + 2 * states[1] + 3 * states[2] * len(states)
        filtered = self.filtered(x)
        if filtered.hidden_states is None:
            result = result + filtered.last_hidden_state
        plain = self.inner(x)
        if plain.hidden_states is None:
            result = result * plain.last_hidden_state
        return result + self.selected(x)
