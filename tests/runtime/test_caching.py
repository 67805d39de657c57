"""Hold the cache of keys and values to one that grows."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import Tensor, nn
from transformers import masking_utils

from porter.runtime import masking
from porter.runtime.caching import EncoderDecoderCache, StaticCache, without_cache

from .support import floats, prepare

MODES = ("strict", "lax", "pynative")
SHAPE = (2, 3, 10, 4)
BATCH, HEADS, ROOM, SIZE = SHAPE


class Write(nn.Cell):
    """Write to one layer of a cache, count the tokens, and return what there is."""

    def __init__(self, cache: nn.Cell, layer: int) -> None:
        super().__init__(auto_prefix=False)
        self.cache = cache
        self.layer = layer

    def construct(self, key: Tensor, value: Tensor) -> Any:
        before = self.cache.get_seq_length(self.layer) + 0
        keys, values = self.cache.update(key, value, self.layer, kwargs={})
        self.cache.advance(key.shape[2])
        return keys, values, before


class Read(nn.Cell):
    """Ask a cache for what model code asks."""

    def __init__(self, cache: nn.Cell) -> None:
        super().__init__(auto_prefix=False)
        self.cache = cache

    def construct(self, x: Tensor) -> Tensor:
        if isinstance(self.cache, EncoderDecoderCache) and self.cache.is_updated.get(1):
            return x + self.cache.cross_attention_cache.layers[1].keys.sum()
        return x


class Around(nn.Cell):
    """Make a cache around what it is given."""

    def __init__(self, cache: nn.Cell | None) -> None:
        super().__init__(auto_prefix=False)
        self.cache = cache

    def construct(self, x: Tensor) -> Tensor:
        cache: Any = without_cache((self.cache, None))  # type: ignore[func-returns-value]
        return x if cache is None else x + 1


def cache(dtype: Any = ms.float32) -> StaticCache:
    return StaticCache(2, BATCH, HEADS, ROOM, SIZE, dtype)


@pytest.mark.parametrize("mode", MODES)
def test_what_was_written_is_held_in_order(mode: str) -> None:
    held = cache()
    key, value = floats(BATCH, HEADS, 6, SIZE), floats(BATCH, HEADS, 6, SIZE)
    cell = Write(held, 1)
    for start, end in ((0, 3), (3, 4), (4, 6)):
        inputs = [Tensor(key[:, :, start:end]), Tensor(value[:, :, start:end])]
        keys, values, before = prepare(cell, mode, inputs)(*inputs)
        assert int(before) == start
        np.testing.assert_array_equal(keys.asnumpy()[:, :, :end], key[:, :, :end])
        np.testing.assert_array_equal(values.asnumpy()[:, :, :end], value[:, :, :end])
        assert not keys.asnumpy()[:, :, end:].any()
    np.testing.assert_array_equal(held.layers[1].keys.asnumpy()[:, :, :6], key)
    assert not held.layers[0].keys.asnumpy().any()
    assert int(held.position) == 6


def test_a_reset_forgets_what_is_not_finite() -> None:
    held = cache()
    infinite = Tensor(np.full((BATCH, HEADS, 2, SIZE), np.inf, np.float32))
    Write(held, 0)(infinite, infinite)
    held.reset()
    assert all(not parameter.asnumpy().any() for parameter in held.get_parameters())


@pytest.mark.parametrize("mode", MODES)
def test_keys_are_held_in_the_dtype_of_the_cache(mode: str) -> None:
    key = floats(BATCH, HEADS, 2, SIZE)
    inputs = [Tensor(key), Tensor(key)]
    keys, _, _ = prepare(Write(cache(ms.float16), 0), mode, inputs)(*inputs)
    assert keys.dtype == ms.float16
    np.testing.assert_array_equal(keys.asnumpy()[:, :, :2], key.astype(np.float16))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("updated", [False, True])
def test_model_code_knows_a_cache_for_an_encoder(mode: str, *, updated: bool) -> None:
    encoder = StaticCache(2, BATCH, HEADS, 5, SIZE, name="encoder")
    encoder.layers[1].keys.set_data(Tensor(np.ones((BATCH, HEADS, 5, SIZE)), ms.float32))
    both = EncoderDecoderCache(cache(), encoder, is_updated=updated)
    inputs = [Tensor(0.0, ms.float32)]
    found = prepare(Read(both), mode, inputs)(*inputs)
    assert float(found) == (BATCH * HEADS * 5 * SIZE if updated else 0)
    assert float(prepare(Read(cache()), mode, inputs)(*inputs)) == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_cache_is_not_lost_in_another(mode: str) -> None:
    inputs = [Tensor(1.0, ms.float32)]
    assert float(prepare(Around(None), mode, inputs)(*inputs)) == 1
    with pytest.raises(ValueError, match="EncoderDecoderCache"):
        prepare(Around(cache()), mode, inputs)(*inputs)


class Cached(nn.Cell):
    """Build the mask of the tokens that follow `held` others, with room for `room`."""

    def __init__(self, create: Callable[..., Any], config: Any, held: int, room: int) -> None:
        super().__init__()
        self.create = create
        self.config = config
        self.cache = StaticCache(1, 2, 1, room, 3)
        self.cache.position.set_data(Tensor(held, ms.int64))

    def construct(self, embeds: Tensor, attention_mask: Any = None) -> Any:
        return self.create(self.config, embeds, attention_mask, cache=self.cache)


@pytest.mark.parametrize("window", [None, 2])
@pytest.mark.parametrize("held", [0, 2, 4])
@pytest.mark.parametrize("mode", MODES)
def test_mask_with_a_cache_is_the_rows_of_the_whole_mask(
    mode: str, held: int, window: int | None
) -> None:
    config = SimpleNamespace(_attn_implementation="eager", sliding_window=window)
    name = "create_causal_mask" if window is None else "create_sliding_window_causal_mask"
    padded = np.array([[0, 0, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1]], np.int64)
    whole = getattr(masking_utils, name)(
        config, torch.from_numpy(floats(2, 8, 3)), torch.from_numpy(padded), None
    )
    cell = Cached(getattr(masking, name), config, held, 8)
    inputs = [Tensor(floats(2, 3, 3)), Tensor(padded)]
    found = prepare(cell, mode, inputs)(*inputs).asnumpy()
    np.testing.assert_array_equal(found, whole[:, :, held : held + 3].numpy())
    np.testing.assert_array_equal(
        cell(inputs[0]).asnumpy()[1], whole[1, :, held : held + 3].numpy()
    )


@pytest.mark.parametrize("mode", MODES)
def test_mask_of_another_length_than_the_cache_is_refused(mode: str) -> None:
    cell = Cached(masking.create_causal_mask, SimpleNamespace(), 0, 8)
    inputs = [Tensor(floats(2, 5, 3)), Tensor(np.ones((2, 5), np.int64))]
    with pytest.raises(ValueError, match="5 positions, the cache 8"):
        prepare(cell, mode, inputs)(*inputs)
