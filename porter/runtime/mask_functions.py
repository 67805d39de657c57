"""Say by functions of positions which keys a query sees, as transformers.masking_utils does.

A function takes four tensors of whole numbers that broadcast to [batch, head, query, key] and tells
for each place whether the key is seen.
"""

# The parameters are those of transformers.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore as ms
from mindspore import Tensor, mint, ops

MaskFunction = Callable[[Tensor, Tensor, Tensor, Tensor], Any]


def sliding_window_overlay(sliding_window: int) -> MaskFunction:
    """See what lies less than a window behind, and all that follows."""

    def inner(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return key > query - sliding_window

    return inner


def sliding_window_bidirectional_overlay(sliding_window: int) -> MaskFunction:
    """See what lies no more than a window away, on either side."""

    def inner(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return ops.abs(query - key) <= sliding_window

    return inner


def blockwise_overlay(block_sequence_ids: Tensor) -> MaskFunction:
    """See the keys of one's own block; `block_sequence_ids` [batch, key] is -1 outside of them."""

    def inner(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        own = block_sequence_ids[batch, query]
        return ops.logical_and(own == block_sequence_ids[batch, key], own >= 0)

    return inner


def packed_sequence_mask_function(packed_sequence_mask: Tensor) -> MaskFunction:
    """See the keys of one's own sequence, numbered in `packed_sequence_mask` [batch, key]."""

    def inner(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return packed_sequence_mask[batch, query] == packed_sequence_mask[batch, key]

    return inner


def chunked_overlay(chunk_size: int, left_padding: Tensor) -> MaskFunction:
    """See the keys of one's own chunk; chunks begin behind `left_padding` [batch] tokens."""

    def inner(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        start = left_padding[batch]
        return (key - start) // chunk_size == (query - start) // chunk_size

    return inner


def maybe_pad_block_sequence_ids(
    block_sequence_ids: Tensor, attention_mask: Tensor | None, kv_length: int, kv_offset: int
) -> Tensor:
    """Return [batch, key] numbers of blocks, with -1 where there are more keys than numbers."""
    missing = kv_length + kv_offset - block_sequence_ids.shape[-1]
    if missing <= 0:
        return block_sequence_ids
    return mint.nn.functional.pad(block_sequence_ids, (0, missing), "constant", -1)


def combined(
    allowed: Tensor,
    query: Tensor,
    key: Tensor,
    or_mask_function: MaskFunction | None,
    and_mask_function: MaskFunction | None,
) -> Tensor:
    """Return where a mask, or the first function, and the second one allow it.

    Args:
        allowed: truth values [batch, 1, query, key].
        query, key: positions that broadcast to it.
    """
    batch = ops.arange(0, allowed.shape[0]).reshape(-1, 1, 1, 1)
    head = ops.zeros_like(batch)
    if or_mask_function is not None:
        allowed = ops.logical_or(allowed, or_mask_function(batch, head, query, key))
    if and_mask_function is not None:
        allowed = ops.logical_and(allowed, and_mask_function(batch, head, query, key))
    return allowed


def left_padding(attention_mask: Tensor | None, batch: int) -> Tensor:
    """Return how many tokens [batch] stand before the first that counts."""
    if attention_mask is None:
        return ops.zeros((batch,), dtype=ms.int64)
    before = ops.cumsum((attention_mask != 0).astype(ms.int64), 1) == 0
    return ops.sum(before.astype(ms.int64), 1)
