"""Compute torch's normalisation functions that have no CPU kernel or no full signature."""

# ruff: noqa: A002

from __future__ import annotations

import mindspore as ms
from mindspore import Tensor, ops


def layer_norm(
    input: Tensor,
    normalized_shape: tuple[int, ...],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise over the last axes, whose sizes are `normalized_shape`."""
    shape = tuple(normalized_shape)
    axis = input.ndim - len(shape)
    scale = ops.ones(shape, input.dtype) if weight is None else weight
    offset = ops.zeros(shape, input.dtype) if bias is None else bias
    return ops.LayerNorm(axis, axis, eps)(input, scale, offset)[0]


def rms_norm(
    input: Tensor,
    normalized_shape: tuple[int, ...],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """Divide by the root mean square over the last axes; eps is the dtype's unless given."""
    axes = tuple(range(-len(normalized_shape), 0))
    small = _epsilon(input.dtype) if eps is None else eps
    result = input * ops.rsqrt(ops.mean(input * input, axes, True) + small)
    return result if weight is None else result * weight


def _epsilon(dtype: ms.Type) -> float:
    if dtype == ms.float64:
        return 2.220446049250313e-16
    if dtype == ms.float16:
        return 0.0009765625
    if dtype == ms.bfloat16:
        return 0.0078125
    return 1.1920928955078125e-07


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise [batch, channels, ...] over each group of channels and all further axes."""
    grouped = ops.reshape(input, (input.shape[0], num_groups, -1))
    return _affine(ops.reshape(_standardise(grouped, eps), input.shape), weight, bias)


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise [batch, channels, ...] over all axes after the channels.

    Raises ValueError where running statistics would have to be updated.
    """
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    if running_mean is not None:
        raise ValueError("instance_norm does not update running statistics")
    flat = ops.reshape(input, (input.shape[0], input.shape[1], -1))
    return _affine(ops.reshape(_standardise(flat, eps), input.shape), weight, bias)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise [batch, channels, ...] by the given statistics, or by the batch's while training.

    Running statistics, which are Parameters, take in the batch's by the share `momentum`.
    """
    if training:
        axes = (0, *range(2, input.ndim))
        mean = ops.mean(input, axes, True)
        centred = input - mean
        variance = ops.mean(centred * centred, axes, True)
        if running_mean is not None and running_var is not None:
            count = input.size // input.shape[1]
            unbiased = variance * (count / (count - 1))
            _take_in(running_mean, mean, momentum)
            _take_in(running_var, unbiased, momentum)
        return _affine(centred * ops.rsqrt(variance + eps), weight, bias)
    centred = input - _by_channel(running_mean, input.ndim)
    return _affine(centred * ops.rsqrt(_by_channel(running_var, input.ndim) + eps), weight, bias)


def _take_in(running: Tensor, batch: Tensor, momentum: float) -> None:
    """Move a running statistic towards that of the batch."""
    new = ops.stop_gradient(ops.reshape(batch, running.shape)).astype(running.dtype)
    ops.assign(running, running * (1.0 - momentum) + new * momentum)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divide each channel by a power of the mean square of the `size` channels around it."""
    channels = input.shape[1]
    square = input * input
    before = ops.zeros_like(square[:, :1])
    padded = ops.cat((before,) * (size // 2) + (square,) + (before,) * ((size - 1) // 2), axis=1)
    total = padded[:, 0:channels]
    for offset in range(1, size):
        total = total + padded[:, offset : offset + channels]
    return input / ops.pow(k + alpha * (total / size), beta)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the p-norm along an axis, or by eps where that is larger."""
    return input / ops.clamp(norm(input, p, dim, True), min=eps)


def norm(
    input: Tensor,
    p: float | str | None = 2.0,
    dim: int | tuple[int, ...] | None = None,
    keepdim: bool = False,
) -> Tensor:
    """Return the p-norm of vectors along axes, of all elements without `dim`; p may be infinite.

    The Frobenius norm ("fro") is the 2-norm of all elements; that of None is, too. Raises
    ValueError for the nuclear norm.
    """
    if p == "nuc":
        raise ValueError("the nuclear norm is not carried over")
    if p is None or isinstance(p, str):
        p = 2.0
    axes = tuple(range(input.ndim)) if dim is None else dim
    if p == 2.0:
        # The square root has no gradient at zero; torch's is zero there.
        total = ops.sum(input * input, axes, keepdim)
        zero = total == 0
        return ops.masked_fill(ops.sqrt(ops.masked_fill(total, zero, 1.0)), zero, 0.0)
    size = ops.abs(input)
    if p == 1.0:
        return ops.sum(size, axes, keepdim)
    if p == float("inf"):
        return ops.amax(size, axes, keepdim)
    if p == float("-inf"):
        return ops.amin(size, axes, keepdim)
    if p == 0:
        return ops.sum((input != 0).astype(input.dtype), axes, keepdim)
    return ops.pow(ops.sum(ops.pow(size, p), axes, keepdim), 1.0 / p)


def _standardise(flat: Tensor, eps: float) -> Tensor:
    centred = flat - ops.mean(flat, -1, True)
    return centred * ops.rsqrt(ops.mean(centred * centred, -1, True) + eps)


def _affine(result: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    if weight is not None:
        result = result * _by_channel(weight, result.ndim)
    if bias is not None:
        result = result + _by_channel(bias, result.ndim)
    return result


def _by_channel(values: Tensor | None, ndim: int) -> Tensor:
    return ops.reshape(values, (1, -1) + (1,) * (ndim - 2))
