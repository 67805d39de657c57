"""Compute torch's losses of margins and of counts, which MindSpore has no right kernel for."""

# ruff: noqa: A002

from __future__ import annotations

import math
from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, ops

from .elementwise import softplus
from .losses import pairwise_distance, reduced


def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return log(1 + exp(-target * input)) for targets of 1 and -1."""
    return reduced(softplus(-target * input), reduction)


def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the mean over classes of the cross entropies of each class."""
    loss = target * softplus(-input) + (1 - target) * softplus(input)
    if weight is not None:
        loss = loss * weight
    return reduced(ops.mean(loss, -1), reduction)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return how far other classes come within a margin of the right one."""
    place = target.astype(ms.int64).expand_dims(-1)
    right = ops.gather_elements(input, input.ndim - 1, place)
    loss = ops.relu(margin - right + input)
    loss = loss * loss if p == 2 else loss
    if weight is not None:
        loss = loss * ops.gather(weight, place, 0)
    other = ops.arange(0, input.shape[-1]) != place
    loss = ops.where(other, loss, ops.zeros_like(loss))
    return reduced(ops.sum(loss, -1) / input.shape[-1], reduction)


def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return how far classes come within 1 of those that the target names before its first -1."""
    named = target.astype(ms.int64)
    ended = ops.cumsum((named < 0).astype(ms.int64), -1) > 0
    place = ops.where(ended, ops.zeros_like(named), named)
    classes = ops.arange(0, input.shape[-1])
    hits = ops.logical_and(place.expand_dims(-1) == classes, ops.logical_not(ended).expand_dims(-1))
    inside = hits.astype(ms.int32).sum(-2) > 0
    right = ops.gather_elements(input, input.ndim - 1, place).expand_dims(-1)
    loss = ops.relu(1.0 - right + input.expand_dims(-2))
    counted = ops.logical_and(
        ops.logical_not(ended).expand_dims(-1), ops.logical_not(inside).expand_dims(-2)
    )
    loss = ops.where(counted, loss, ops.zeros_like(loss))
    return reduced(ops.sum(loss, (-2, -1)) / input.shape[-1], reduction)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative logarithm of a Poisson probability, with Stirling's term if `full`."""
    rate = ops.exp(input) if log_input else input
    loss = rate - target * (input if log_input else ops.log(input + eps))
    if full:
        counted = target > 1
        count = ops.where(counted, target, ops.ones_like(target))
        term = count * ops.log(count) - count + 0.5 * ops.log(2 * math.pi * count)
        loss = loss + ops.where(counted, term, ops.zeros_like(term))
    return reduced(loss, reduction)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Return by how much the positive is not nearer than the negative by a margin."""
    distance = pairwise_distance if distance_function is None else distance_function
    near = distance(anchor, positive)
    far = distance(anchor, negative)
    if swap:
        far = ops.minimum(far, distance(positive, negative))
    return reduced(ops.relu(near - far + margin), reduction)
