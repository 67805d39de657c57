"""Choose the next token from logits, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np


def probabilities(
    logits: Any,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Any:
    """Return the probabilities that tokens are drawn by, float64 [batch, vocabulary].

    `logits` are divided by `temperature`. Of them `top_k` keeps the highest, with all that equal
    the last of these; then `top_p` keeps the likeliest whose sum reaches it, at least one.
    Raises ValueError for a temperature or `top_k` that is not above 0, a `top_p` that is not in
    (0, 1], and logits that are nan.
    """
    if temperature <= 0:
        raise ValueError(f"temperature is {temperature}: it must be above 0")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k is {top_k}: it must be above 0")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p is {top_p}: it must be above 0, and at most 1")
    scores = _checked(logits).astype(np.float64) / temperature
    if top_k is not None and top_k < scores.shape[-1]:
        least = np.sort(scores, axis=-1)[..., -top_k, None]
        scores = np.where(scores < least, -np.inf, scores)
    if top_p is not None and top_p < 1:
        order = np.argsort(scores, axis=-1, kind="stable")
        below = np.take_along_axis(_softmax(scores), order, axis=-1).cumsum(axis=-1)
        dropped = below <= 1 - top_p
        dropped[..., -1] = False
        left_out = np.zeros_like(dropped)
        np.put_along_axis(left_out, order, dropped, axis=-1)
        scores = np.where(left_out, -np.inf, scores)
    return _softmax(scores)


def choose(logits: Any, random: np.random.Generator | None, **options: Any) -> Any:
    """Return one token for each row of logits [batch, vocabulary], int64.

    Without `random` it is the likeliest, the first of equals. With it, one is drawn by
    `probabilities(logits, **options)`.
    """
    if random is None:
        return _checked(logits).argmax(axis=-1)
    edges = probabilities(logits, **options).cumsum(axis=-1)
    # The sum may end below 1 by rounding: the draw is scaled to where it ends.
    draws = random.random(edges.shape[0])[:, None] * edges[:, -1:]
    return (edges <= draws).sum(axis=-1)


def _softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _checked(logits: Any) -> Any:
    if np.isnan(logits).any():
        raise ValueError("the model gave logits that are nan")
    return np.asarray(logits)
