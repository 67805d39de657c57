"""Compute torch's losses and distances that no single MindSpore call computes right."""

# ruff: noqa: A002

from __future__ import annotations

from mindspore import Tensor, ops

from .elementwise import xlogy
from .normalization import norm


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the cross entropy of probabilities and targets between 0 and 1.

    A logarithm is -100 at least, as in torch. The kernel of `ops.binary_cross_entropy` stops at
    -27.6, and doubles the mean and the sum of a single element.
    """
    loss = -target * _logarithm(input) - (1 - target) * _logarithm(1 - input)
    # The kernel takes no weight that is to be spread over the losses.
    return reduced(loss if weight is None else loss * weight, reduction)


def _logarithm(probability: Tensor) -> Tensor:
    # Not of 0: its gradient would be infinite where it does not count.
    positive = probability > 0
    safe = ops.where(positive, probability, ops.ones_like(probability))
    lowest = ops.full_like(probability, -100.0)
    return ops.where(positive, ops.maximum(ops.log(safe), lowest), lowest)


def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Return the divergence of log-probabilities from probabilities, or from their logarithms."""
    if log_target:
        loss = ops.exp(target) * (target - input)
    else:
        loss = xlogy(target, target) - target * input
    if reduction == "batchmean":
        return ops.sum(loss) / input.shape[0]
    return reduced(loss, reduction)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosine of the angle between vectors along an axis, of the broadcast tensors."""
    # Before the norms: an axis of length 1 that is repeated has a larger one.
    none = ops.zeros_like(x1 * x2)
    x1, x2 = x1 + none, x2 + none
    first = x1 / ops.clamp(norm(x1, 2.0, dim, True), min=eps)
    second = x2 / ops.clamp(norm(x2, 2.0, dim, True), min=eps)
    return ops.sum(first * second, dim)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """Return the p-norm of the difference, shifted by eps, along the last axis."""
    return norm(x1 - x2 + eps, p, -1, keepdim)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Return by how much the positive is not nearer than the negative by a margin."""
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = ops.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(ops.relu(near - far + margin), reduction)


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Return by how much two inputs are not in the order that a target of 1 or -1 states."""
    return reduced(ops.relu(-target * (input1 - input2) + margin), reduction)


def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """Return the input where the target is 1, and what is missing to the margin where it is -1."""
    zeros = ops.zeros_like(input)
    apart = ops.where(target == 1, zeros, ops.relu(margin - input))
    return reduced(apart + ops.where(target == -1, zeros, input), reduction)


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """Return the losses, their sum or their mean. Raises ValueError for another reduction."""
    if reduction == "none":
        return loss
    if reduction == "sum":
        return ops.sum(loss)
    if reduction == "mean":
        return ops.mean(loss)
    raise ValueError(f"reduction is 'none', 'sum' or 'mean', not {reduction!r}")
