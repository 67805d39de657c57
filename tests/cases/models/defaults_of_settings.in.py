"""Defaults by try, types that are compared, and caches that are plain tuples inside of a result."""

from types import SimpleNamespace

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.dense = nn.ModuleList([nn.Linear(config.width, config.width) for _ in range(2)])

    def forward(self, x, use_cache=None, output_hidden_states=False, return_dict=True):
        cache = () if use_cache else None
        states = () if output_hidden_states else None
        try:
            # what newer settings have
            factor = self.config.factor
        except AttributeError:
            factor = self.config.scale
        try:
            shift = self.config.shift
        except AttributeError:
            shift = 0.5
        for layer in self.dense:
            if output_hidden_states:
                states = states + (x,)
            key = layer(x) * factor + shift
            x = torch.tanh(key)
            if use_cache:
                cache = cache + ((key, x),)
        if not return_dict:
            return tuple(v for v in [x, cache, states] if v is not None)
        return BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=x, past_key_values=cache, hidden_states=states
        )


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(SimpleNamespace(width=8, scale=0.7, factor=1.5))

    def last_key(self, x, return_dict):
        outputs = self.encoder(x, use_cache=True, return_dict=return_dict)
        return outputs[1][-1][0]

    def forward(self, x):
        if type(x) == list:
            width = x[0].size(-1)
        else:
            width = x.size(-1)
#         x = x[0]
        if type(x) is not tuple:
            x = x / width
        result = self.encoder(x, use_cache=True)
        key, value = result[1][-1]
        plain = self.encoder(result[0], output_hidden_states=True)
        return result[0] + key * value + plain[0] + plain[1:][0][1] + self.last_key(x, True) + self.last_key(x, False)
