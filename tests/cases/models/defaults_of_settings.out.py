"""Defaults by try, types that are compared, and caches that are plain tuples inside of a result."""

from types import SimpleNamespace

from mindspore import nn

from .runtime.elementwise import tanh
from .runtime.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions
from .runtime.outputs import NamedOutputCell, named_output, positions


class Encoder(NamedOutputCell):
    output_class = BaseModelOutputWithPastAndCrossAttentions

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.dense = nn.CellList([nn.Dense(config.width, config.width) for _ in range(2)])

    def construct(self, x, use_cache=None, output_hidden_states=False, return_dict=True):
        cache = () if use_cache else None
        states = () if output_hidden_states else None
        # what newer settings have
        factor = self.config.factor if hasattr(self.config, "factor") else self.config.scale
        shift = self.config.shift if hasattr(self.config, "shift") else 0.5
        for layer in self.dense:
            if output_hidden_states:
                states = states + (x,)
            key = layer(x) * factor + shift
            x = tanh(key)
            if use_cache:
                cache = cache + ((key, x),)
        if not return_dict:
            return tuple(v for v in [x, cache, states] if v is not None)
        return named_output(
            last_hidden_state=x, past_key_values=cache, hidden_states=states
        )


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(SimpleNamespace(width=8, scale=0.7, factor=1.5))

    def last_key(self, x, return_dict):
        outputs = self.encoder(x, use_cache=True, return_dict=return_dict)
        return positions(outputs, ("last_hidden_state", "past_key_values", "hidden_states"))[1][-1][0]

    def construct(self, x):
        if isinstance(x, list):
            width = x[0].shape[-1]
        else:
            width = x.shape[-1]
        #         x = x[0]
        if not isinstance(x, tuple):
            x = x / width
        result = self.encoder(x, use_cache=True)
        key, value = positions(result, ("last_hidden_state", "past_key_values", "hidden_states"))[1][-1]
        plain = self.encoder(result["last_hidden_state"], output_hidden_states=True)
        return result["last_hidden_state"] + key * value + plain["last_hidden_state"] + positions(plain, ("last_hidden_state", "past_key_values", "hidden_states"))[1:][0][1] + self.last_key(x, True) + self.last_key(x, False)
