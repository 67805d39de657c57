"""Hidden states that transformers records by hooks, handed on by the port."""

import mindspore as ms
from mindspore import nn
from transformers.models.bert.configuration_bert import BertConfig

from .runtime.elementwise import tanh
from .runtime.modeling import PreTrainedModel
from .runtime.modeling_outputs import BaseModelOutput
from .runtime.outputs import NamedOutputCell, extended, named_output
from .runtime.recording import appended, filtered as recording_filtered, started, with_hidden_states


class Layer(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.linear = nn.Dense(config.hidden_size, config.hidden_size)

    def construct(self, x: ms.Tensor, **kwargs) -> tuple[ms.Tensor, ms.Tensor]:
        return tanh(self.linear(x)), x


class Stage(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.CellList([Layer(config) for _ in range(config.num_hidden_layers)])

    def construct(self, x: ms.Tensor, **kwargs) -> ms.Tensor:
        recorded_hidden_states = ()
        for layer in self.layers:
            recorded_hidden_states = started(recorded_hidden_states, x)
            outputs = layer(x, **kwargs)
            recorded_hidden_states = appended(recorded_hidden_states, outputs, 0)
            x = outputs[0]
        return x, recorded_hidden_states


class Encoder(NamedOutputCell):
    output_class = BaseModelOutput
    output_fields = ("last_hidden_state",)

    def __init__(self, config):
        super().__init__()
        self.stage = Stage(config)

    def construct(self, states: ms.Tensor, **kwargs) -> BaseModelOutput:
        states, recorded_hidden_states = self.stage(states, **kwargs)
        return extended({"last_hidden_state": states}, hidden_states=recorded_hidden_states)


class Inner(PreTrainedModel):
    """The states come out of two modules further in."""

    output_class = BaseModelOutput
    output_fields = ("last_hidden_state",)

    config_class = BertConfig

    def __init__(self, config):
        super().__init__(config)
        self.encoder = Encoder(config)
        self.norm = nn.Dense(config.hidden_size, config.hidden_size)

    def construct(self, x: ms.Tensor, output_hidden_states=None, **kwargs) -> BaseModelOutput:
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        outputs = self.encoder(states=x, **kwargs)
        recorded_hidden_states = outputs["hidden_states"]
        return with_hidden_states({"last_hidden_state": self.norm(outputs["last_hidden_state"])}, recorded_hidden_states, output_hidden_states, True)


class Direct(PreTrainedModel):
    """The states are those of the model's own layers, without the first input."""

    output_class = BaseModelOutput
    output_fields = ("last_hidden_state",)

    config_class = BertConfig

    def __init__(self, config):
        super().__init__(config)
        self.layers = nn.CellList([Layer(config) for _ in range(3)])

    def construct(self, x: ms.Tensor, output_hidden_states=None, **kwargs) -> BaseModelOutput:
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        recorded_hidden_states = ()
        for layer in self.layers:
            x, _ = layer(x)
            recorded_hidden_states = (*recorded_hidden_states, _)
        return with_hidden_states({"last_hidden_state": x}, recorded_hidden_states, output_hidden_states, False)


class Filtered(PreTrainedModel):
    output_class = BaseModelOutput

    config_class = BertConfig

    def __init__(self, config):
        super().__init__(config)
        self.direct = Direct(config)

    def construct(self, x: ms.Tensor, output_hidden_states=None, **kwargs) -> BaseModelOutput:
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        kwargs["output_hidden_states"] = True
        outputs = self.direct(x, **kwargs)
        total = outputs.get("hidden_states")[0] + outputs.get("hidden_states")[2]
        return recording_filtered(named_output(last_hidden_state=total, hidden_states=outputs.get("hidden_states")), output_hidden_states)


class Model(PreTrainedModel):
    config_class = BertConfig

    def __init__(self):
        super().__init__(BertConfig(hidden_size=8, num_hidden_layers=2))
        self.inner = Inner(self.config)
        self.filtered = Filtered(self.config)

    def selected(self, x: ms.Tensor, layer: int = -2, **kwargs) -> ms.Tensor:
        if not kwargs.get("output_hidden_states"):
            kwargs["output_hidden_states"] = layer
        return self.inner(x, **kwargs).get("hidden_states")[layer]

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        states = self.inner(x, output_hidden_states=True).get("hidden_states")
        result = states[0] + 2 * states[1] + 3 * states[2] * len(states)
        filtered = self.filtered(x)
        if filtered.get("hidden_states") is None:
            result = result + filtered.get("last_hidden_state")
        plain = self.inner(x)
        if plain.get("hidden_states") is None:
            result = result * plain["last_hidden_state"]
        return result + self.selected(x)
