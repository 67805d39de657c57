"""Build the additive attention masks of transformers.masking_utils inside the graph.

A mask is a float tensor [batch, 1, query length, key length]: 0 where a query attends to a key, and
the lowest finite number of its dtype where it does not.
"""

# The parameters are those of transformers, used or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore as ms
from mindspore import Tensor, nn, ops

from .creation import finfo
from .mask_functions import (
    blockwise_overlay,
    chunked_overlay,
    combined,
    left_padding,
    maybe_pad_block_sequence_ids,
    sliding_window_bidirectional_overlay,
    sliding_window_overlay,
)

_LOWEST_DOUBLE = Tensor(-1.7976931348623157e308, ms.float64)


def min_value(dtype: ms.Type) -> float:
    """Return the lowest finite number of a floating-point dtype, as `finfo` knows it."""
    return finfo(dtype).min


def create_bidirectional_mask(
    config: Any,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    encoder_hidden_states: Tensor | None = None,
    cache: Any = None,
    or_mask_function: Callable[..., Any] | None = None,
    and_mask_function: Callable[..., Any] | None = None,
    allow_is_bidirectional_skip: bool = True,
    past_key_values: Any = None,
) -> Tensor | None:
    """Return the mask of full attention, or None where there is nothing to mask.

    The mask is [batch, 1, 1, key], or [batch, 1, query, key] where it may not be skipped, since it
    is joined with others then. `inputs_embeds` [batch, query, hidden] gives the query length;
    `encoder_hidden_states` [batch, key, hidden], where given, the batch, key length and dtype.
    `attention_mask` is [batch, key], not zero where a key is there; a mask of four axes is returned
    as it is. With mask functions the mask is [batch, 1, query, key].
    Raises ValueError for a cache.
    """
    _refuse_cache(cache, past_key_values)
    if _is_prepared(attention_mask):
        return attention_mask
    plain = or_mask_function is None and and_mask_function is None
    if attention_mask is None and allow_is_bidirectional_skip and plain:
        return None
    source = inputs_embeds if encoder_hidden_states is None else encoder_hidden_states
    if not plain:
        return _seen_by_all(
            inputs_embeds, source, attention_mask, None, or_mask_function, and_mask_function
        )
    key_length = source.shape[1] if attention_mask is None else attention_mask.shape[1]
    # One row serves every query, also where a model attends with some of them only.
    queries = 1 if allow_is_bidirectional_skip else inputs_embeds.shape[1]
    shape = (source.shape[0], 1, queries, key_length)
    return _additive(_present(attention_mask, shape), source.dtype)


def create_bidirectional_sliding_window_mask(
    config: Any,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    encoder_hidden_states: Tensor | None = None,
    cache: Any = None,
    or_mask_function: Callable[..., Any] | None = None,
    and_mask_function: Callable[..., Any] | None = None,
    allow_is_bidirectional_skip: bool = True,
    past_key_values: Any = None,
) -> Tensor:
    """Return a mask that hides what lies more than `config.sliding_window` away on either side.

    It is [batch, 1, query, key]. Raises ValueError as `create_bidirectional_mask`, and where the
    configuration has no window.
    """
    _refuse_cache(cache, past_key_values)
    if _is_prepared(attention_mask):
        return attention_mask
    source = inputs_embeds if encoder_hidden_states is None else encoder_hidden_states
    window = sliding_window_bidirectional_overlay(_window(config))
    return _seen_by_all(
        inputs_embeds, source, attention_mask, window, or_mask_function, and_mask_function
    )


def create_causal_mask(
    config: Any,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    cache: Any = None,
    position_ids: Tensor | None = None,
    or_mask_function: Callable[..., Any] | None = None,
    and_mask_function: Callable[..., Any] | None = None,
    block_sequence_ids: Tensor | None = None,
    layer_idx: int | None = None,
    allow_is_causal_skip: bool = True,
    past_key_values: Any = None,
) -> Tensor | None:
    """Return the mask in which a query attends to its own position and those before it.

    Where `position_ids` [batch or 1, query] are given without `attention_mask`, sequences packed
    into one row do not see each other. With a cache the keys are all that it has room for, and
    `attention_mask` is [batch, room]: the queries follow the tokens that it holds.
    The two functions are as those in `mask_functions`; tokens with one number in
    `block_sequence_ids` [batch, key] see each other, but for -1. Raises ValueError for
    another length of `attention_mask`.
    """
    held = cache if cache is not None else past_key_values
    if not getattr(config, "is_causal", True):
        return create_bidirectional_mask(
            config,
            inputs_embeds,
            attention_mask,
            cache=held,
            or_mask_function=or_mask_function,
            and_mask_function=and_mask_function,
            allow_is_bidirectional_skip=allow_is_causal_skip,
        )
    if _is_prepared(attention_mask):
        return attention_mask
    return _causal(
        inputs_embeds,
        attention_mask,
        position_ids,
        held,
        None,
        or_mask_function,
        and_mask_function,
        block_sequence_ids,
    )


def create_sliding_window_causal_mask(
    config: Any,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    cache: Any = None,
    position_ids: Tensor | None = None,
    or_mask_function: Callable[..., Any] | None = None,
    and_mask_function: Callable[..., Any] | None = None,
    block_sequence_ids: Tensor | None = None,
    layer_idx: int | None = None,
    allow_is_causal_skip: bool = True,
    past_key_values: Any = None,
) -> Tensor | None:
    """Return a causal mask that also hides what lies `config.sliding_window` or more behind.

    Raises ValueError as `create_causal_mask`, where `config.is_causal` is false, and where the
    configuration has no window.
    """
    held = cache if cache is not None else past_key_values
    if not getattr(config, "is_causal", True):
        raise ValueError("a sliding window without causal attention is not supported")
    if _is_prepared(attention_mask):
        return attention_mask
    return _causal(
        inputs_embeds,
        attention_mask,
        position_ids,
        held,
        sliding_window_overlay(_window(config)),
        or_mask_function,
        and_mask_function,
        block_sequence_ids,
    )


def create_chunked_causal_mask(
    config: Any,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    cache: Any = None,
    position_ids: Tensor | None = None,
    or_mask_function: Callable[..., Any] | None = None,
    and_mask_function: Callable[..., Any] | None = None,
    block_sequence_ids: Tensor | None = None,
    layer_idx: int | None = None,
    allow_is_causal_skip: bool = True,
    past_key_values: Any = None,
) -> Tensor | None:
    """Return a causal mask whose queries see the keys of their chunk of `attention_chunk_size`.

    Chunks begin behind the padding on the left. Raises ValueError as `create_causal_mask`, and
    where the configuration has no chunks.
    """
    held = cache if cache is not None else past_key_values
    if _is_prepared(attention_mask):
        return attention_mask
    chunk_size: int | None = getattr(config, "attention_chunk_size", None)
    if chunk_size is None:
        raise ValueError("the configuration has no attention_chunk_size")
    return _causal(
        inputs_embeds,
        attention_mask,
        position_ids,
        held,
        chunked_overlay(chunk_size, left_padding(attention_mask, inputs_embeds.shape[0])),
        or_mask_function,
        and_mask_function,
        block_sequence_ids,
    )


def create_recurrent_attention_mask(
    inputs_embeds: Tensor, attention_mask: Tensor | None
) -> Tensor | None:
    """Return the padding mask [batch, length] of layers that read a sequence token by token.

    None where there is nothing to mask: no mask, one that is prepared already, or one token. A mask
    of ones, which torch leaves out, changes nothing.
    """
    if attention_mask is None or attention_mask.ndim != 2 or inputs_embeds.shape[1] == 1:
        return None
    return attention_mask[:, -inputs_embeds.shape[1] :]


def get_extended_attention_mask(attention_mask: Tensor, dtype: ms.Type = ms.float32) -> Tensor:
    """Return an additive mask over all heads, from [batch, key] or [batch, query, key]."""
    if attention_mask.ndim == 3:
        extended = attention_mask.expand_dims(1)
    elif attention_mask.ndim == 2:
        extended = attention_mask.expand_dims(1).expand_dims(1)
    else:
        raise ValueError(f"an attention mask has two or three axes, not {attention_mask.ndim}")
    return (1.0 - extended.astype(dtype)) * min_value(dtype)


def invert_attention_mask(encoder_attention_mask: Tensor, dtype: ms.Type = ms.float32) -> Tensor:
    """Return the additive mask of cross attention, from [batch, key] or [batch, query, key]."""
    return get_extended_attention_mask(encoder_attention_mask, dtype)


def _window(config: Any) -> int:
    window: int | None = getattr(config, "sliding_window", None)
    if window is None:
        raise ValueError("the configuration has no sliding_window")
    return window


def _seen_by_all(
    inputs_embeds: Tensor,
    source: Tensor,
    attention_mask: Tensor | None,
    overlay: Callable[..., Any] | None,
    or_mask_function: Callable[..., Any] | None,
    and_mask_function: Callable[..., Any] | None,
) -> Tensor:
    """Return a mask [batch, 1, query, key] in which every key is seen that the functions allow."""
    key_length = source.shape[1] if attention_mask is None else attention_mask.shape[1]
    shape = (source.shape[0], 1, inputs_embeds.shape[1], key_length)
    query = ops.arange(0, inputs_embeds.shape[1]).reshape(1, 1, -1, 1)
    key = ops.arange(0, key_length).reshape(1, 1, 1, -1)
    allowed = combined(ops.ones(shape, ms.bool_), query, key, None, overlay)
    allowed = combined(allowed, query, key, or_mask_function, and_mask_function)
    return _additive(ops.logical_and(allowed, _present(attention_mask, shape)), source.dtype)


def _causal(
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    position_ids: Tensor | None,
    cache: Any,
    overlay: Callable[..., Any] | None,
    or_mask_function: Callable[..., Any] | None,
    and_mask_function: Callable[..., Any] | None,
    block_sequence_ids: Tensor | None,
) -> Tensor:
    batch = inputs_embeds.shape[0]
    query_length = inputs_embeds.shape[1]
    key_length = query_length if attention_mask is None else attention_mask.shape[1]
    if cache is not None:
        if not isinstance(cache, nn.Cell):
            raise ValueError("of key-value caches, masks know those of the runtime alone")
        if attention_mask is not None and key_length != cache.max_length:
            raise ValueError(
                f"the attention mask has {key_length} positions, the cache {cache.max_length}"
            )
        key_length = cache.max_length
    shape = (batch, 1, query_length, key_length)
    query = ops.arange(0, query_length).reshape(1, 1, -1, 1)
    if cache is not None:
        query = query + cache.get_seq_length()
    key = ops.arange(0, key_length).reshape(1, 1, 1, -1)
    packed = position_ids if attention_mask is None and cache is None else None
    own_query, own_key = query, key
    if packed is not None:
        # Positions that only follow one another are no packed sequences: functions get places then.
        restarts = ops.any(packed[:, 1:] - packed[:, :-1] != 1)
        own_query = ops.where(restarts, packed.expand_dims(1).expand_dims(-1), query)
        own_key = ops.where(restarts, packed.expand_dims(1).expand_dims(1), key)
    allowed = ops.broadcast_to(own_key <= own_query, shape)
    allowed = combined(allowed, own_query, own_key, None, overlay)
    allowed = combined(allowed, own_query, own_key, or_mask_function, and_mask_function)
    if block_sequence_ids is not None:
        blocks = block_sequence_ids
        if cache is not None:
            blocks = maybe_pad_block_sequence_ids(blocks, attention_mask, key_length, 0)
        allowed = combined(allowed, query, key, blockwise_overlay(blocks), None)
    if packed is not None:
        allowed = ops.logical_and(allowed, _same_sequence(packed))
    return _additive(ops.logical_and(allowed, _present(attention_mask, shape)), inputs_embeds.dtype)


def _same_sequence(position_ids: Tensor) -> Tensor:
    # A position that does not follow its left neighbour starts another packed sequence.
    starts = (position_ids[:, 1:] - position_ids[:, :-1] != 1).astype(ms.int32)
    first = ops.zeros((position_ids.shape[0], 1), ms.int32)
    sequence = ops.cumsum(ops.cat((first, starts), axis=1), 1)
    return sequence.expand_dims(1).expand_dims(-1) == sequence.expand_dims(1).expand_dims(1)


def _present(attention_mask: Tensor | None, shape: tuple[int, ...]) -> Tensor:
    if attention_mask is None:
        return ops.ones(shape, ms.bool_)
    return ops.broadcast_to((attention_mask != 0).expand_dims(1).expand_dims(1), shape)


def _additive(allowed: Tensor, dtype: ms.Type) -> Tensor:
    zeros = ops.zeros_like(allowed, dtype=dtype)
    if dtype == ms.float64:
        return ops.where(allowed, zeros, _LOWEST_DOUBLE)
    return ops.masked_fill(zeros, ops.logical_not(allowed), min_value(dtype))


def _is_prepared(attention_mask: Tensor | None) -> bool:
    if attention_mask is None or attention_mask.ndim == 2:
        return False
    if attention_mask.ndim == 4:
        return True
    raise ValueError(f"an attention mask has two or four axes, not {attention_mask.ndim}")


def _refuse_cache(cache: Any, past_key_values: Any) -> None:
    if cache is not None or past_key_values is not None:
        raise ValueError("a mask without causality is not supported with a key-value cache")
