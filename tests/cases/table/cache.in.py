"""Caches of keys and values, which a port does without."""

import torch
from torch import nn
from transformers.cache_utils import Cache, DynamicCache, EncoderDecoderCache, StaticCache


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.key = nn.Linear(4, 4)

    def forward(
        self,
        x: torch.Tensor,
        cache: EncoderDecoderCache | None = None,
        use_cache: bool = False,
    ) -> torch.Tensor:
        if use_cache and cache is None:
            cache = EncoderDecoderCache(DynamicCache(config=self.config), DynamicCache())
        key = self.key(x)
        if cache is not None:
            current = cache
            if isinstance(cache, EncoderDecoderCache):
                current = cache.self_attention_cache
            if isinstance(cache, (StaticCache, DynamicCache)):
                key = key + 1
            key, _ = current.update(key, key, 0)
        return key
