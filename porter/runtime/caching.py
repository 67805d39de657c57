"""Keep the keys and values of past tokens in Parameters of a fixed shape, within the graph.

The classes answer what model code of transformers asks of its caches. A cache is handed to a model
by the Cell that holds both (see `generation.Generator`): a graph takes no Cell as an argument.
"""

# The parameters are those of transformers, used or not.
# ruff: noqa: ARG002

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class CacheLayer(nn.Cell):
    """The keys and values of one attention layer: each [batch, heads, max_length, head size]."""

    def __init__(self, shape: tuple[int, ...], dtype: ms.Type, name: str) -> None:
        super().__init__(auto_prefix=False)
        self.dtype = dtype
        self.keys = _buffer(shape, dtype, f"{name}.keys")
        self.values = _buffer(shape, dtype, f"{name}.values")

    def construct(self, key: Tensor, value: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
        """Write [batch, heads, length, head size] from `position` on, and return all there is."""
        index = (position + ops.arange(0, key.shape[2])).reshape(1, 1, -1, 1)
        keys = ops.tensor_scatter_elements(
            self.keys, ops.broadcast_to(index, key.shape), key.astype(self.dtype), axis=2
        )
        values = ops.tensor_scatter_elements(
            self.values, ops.broadcast_to(index, value.shape), value.astype(self.dtype), axis=2
        )
        ops.assign(self.keys, keys)
        ops.assign(self.values, values)
        return keys, values


class StaticCache(nn.Cell):
    """The keys and values of all layers of a decoder, for at most `max_length` tokens.

    `position` is the number of tokens that are held. Who runs the model moves it on with
    `advance`, once every layer has written: the layers of one step read the same number.
    """

    def __init__(
        self,
        layers: int,
        batch_size: int,
        heads: int,
        max_length: int,
        head_size: int,
        dtype: ms.Type = ms.float32,
        name: str = "cache",
    ) -> None:
        super().__init__(auto_prefix=False)
        self.max_length = max_length
        self.position = Parameter(Tensor(0, ms.int64), name=f"{name}.position", requires_grad=False)
        shape = (batch_size, heads, max_length, head_size)
        self.layers = nn.CellList(
            [CacheLayer(shape, dtype, f"{name}.{index}") for index in range(layers)],
            auto_prefix=False,
        )

    def update(
        self, key: Tensor, value: Tensor, layer_idx: int, *_: Any, **__: Any
    ) -> tuple[Tensor, Tensor]:
        """Write the keys and values of a layer for the current tokens; return the whole buffers."""
        keys, values = self.layers[layer_idx](key, value, self.position)
        return keys, values

    def get_seq_length(self, layer_idx: int = 0) -> Tensor:
        """Return how many tokens are held, an int64 scalar."""
        return self.position

    def get_max_cache_shape(self, layer_idx: int = 0) -> int:
        """Return how many tokens there is room for."""
        return self.max_length

    def advance(self, length: int) -> None:
        """Count `length` tokens that every layer has written."""
        ops.assign_add(self.position, Tensor(length, ms.int64))

    def reset(self) -> None:
        """Forget all tokens, and write zeros: what is not finite would pass through a mask."""
        for parameter in self.get_parameters():
            parameter.set_data(Tensor(np.zeros(parameter.shape), parameter.dtype))


class EncoderDecoderCache(nn.Cell):
    """A cache for a decoder that attends to itself and to the states of an encoder.

    With `is_updated` the keys and values of the encoder's states are read from the cache, without
    it they are computed and written. A graph has one of the two: the Cells for the prompt and for
    the steps after it hold two of these with the same caches.
    """

    def __init__(self, decoder: StaticCache, encoder: StaticCache, *, is_updated: bool) -> None:
        super().__init__(auto_prefix=False)
        self.self_attention_cache = decoder
        self.cross_attention_cache = encoder
        self.max_length = decoder.max_length
        self.is_updated = dict.fromkeys(range(len(encoder.layers)), is_updated)

    def get_seq_length(self, layer_idx: int = 0) -> Tensor:
        """Return how many tokens of the decoder are held, an int64 scalar."""
        return self.self_attention_cache.get_seq_length(layer_idx)

    def get_max_cache_shape(self, layer_idx: int = 0) -> int:
        """Return how many tokens of the decoder there is room for."""
        return self.max_length

    def advance(self, length: int) -> None:
        """Count `length` tokens of the decoder that every layer has written."""
        self.self_attention_cache.advance(length)


def without_cache(caches: tuple[Any, ...]) -> None:
    """Return None in place of a cache that model code would make around others.

    Raises ValueError where one of them is there: leaving it out would lose what it holds.
    """
    for cache in caches:
        if cache is not None:
            raise ValueError("a port makes no cache around another: give it an EncoderDecoderCache")


def _buffer(shape: tuple[int, ...], dtype: ms.Type, name: str) -> Parameter:
    return Parameter(Tensor(np.zeros(shape), dtype), name=name, requires_grad=False)
