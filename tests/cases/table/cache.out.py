"""Caches of keys and values, which a port does without."""

import mindspore as ms
from mindspore import nn

from .runtime.caching import EncoderDecoderCache, without_cache


class Attention(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.key = nn.Dense(4, 4)

    def construct(
        self,
        x: ms.Tensor,
        cache=None,
        use_cache: bool = False,
    ) -> ms.Tensor:
        if use_cache and cache is None:
            cache = without_cache((None, None))
        key = self.key(x)
        if cache is not None:
            current = cache
            if isinstance(cache, EncoderDecoderCache):
                current = cache.self_attention_cache
            if False:
                key = key + 1
            key, _ = current.update(key, key, 0)
        return key
