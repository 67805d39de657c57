"""Compute torch.nn.functional.scaled_dot_product_attention."""

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return the attention [..., query, value size] of heads [..., head, position, size].

    `attn_mask` broadcasts to [..., query, key]: boolean, true where a query attends, or added to
    the scores. A query that attends to nothing gives zeros. With `enable_gqa` the heads of the
    query are a multiple of those of key and value. Raises ValueError for a mask beside `is_causal`.
    """
    if is_causal and attn_mask is not None:
        raise ValueError("scaled_dot_product_attention takes attn_mask or is_causal, not both")
    if enable_gqa:
        key = ops.repeat_interleave(key, query.shape[-3] // key.shape[-3], -3)
        value = ops.repeat_interleave(value, query.shape[-3] // value.shape[-3], -3)
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) * factor
    if is_causal:
        rows = ops.arange(0, query.shape[-2]).expand_dims(-1)
        later = ops.arange(0, key.shape[-2]).expand_dims(0) > rows
        scores = ops.masked_fill(scores, later, float("-inf"))
    weights = ops.softmax(scores, -1) if attn_mask is None else _masked_softmax(scores, attn_mask)
    if dropout_p > 0.0:
        weights = ops.dropout(weights, p=dropout_p)
    return ops.matmul(weights, value)


def _masked_softmax(scores: Tensor, attn_mask: Tensor) -> Tensor:
    if attn_mask.dtype == ms.bool_:
        scores = ops.masked_fill(scores, ops.logical_not(attn_mask), float("-inf"))
    else:
        scores = scores + attn_mask
    # A softmax over nothing but -inf is nan; torch gives zeros.
    empty = ops.amax(scores, -1, True) == float("-inf")
    weights = ops.softmax(ops.masked_fill(scores, empty, 0.0), -1)
    return ops.masked_fill(weights, empty, 0.0)


def dispatch_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return the attention [batch, query, head, size] of heads [batch, position, head, size].

    It is what `dispatch_attention_fn` of diffusers gives with its own backend. A mask
    [batch, key] holds for all queries; others are those of `scaled_dot_product_attention`.
    """
    if attn_mask is not None and attn_mask.shape == (query.shape[0], key.shape[1]):
        attn_mask = attn_mask.expand_dims(1).expand_dims(1)
    heads = scaled_dot_product_attention(
        ops.swapaxes(query, 1, 2),
        ops.swapaxes(key, 1, 2),
        ops.swapaxes(value, 1, 2),
        attn_mask,
        dropout_p,
        is_causal,
        scale,
        enable_gqa,
    )
    return ops.swapaxes(heads, 1, 2)
