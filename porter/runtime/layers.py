"""Provide cells for torch modules without a right counterpart, with torch's parameter names."""

# Names and parameters are those of torch; a construct says what its class says.
# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

import math
from typing import Any, ClassVar

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from . import initialization as init
from . import normalization
from .convolution_layers import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
)
from .parameters import only_float32
from .stateless_layers import (
    ELU,
    GELU,
    SELU,
    BCELoss,
    CosineSimilarity,
    CrossEntropyLoss,
    Fold,
    GroupNorm,
    KLDivLoss,
    LocalResponseNorm,
    Mish,
    PairwiseDistance,
    Softplus,
    Tanh,
    Tanhshrink,
    Unfold,
    Upsample,
)

__all__ = [
    "ELU",
    "GELU",
    "SELU",
    "BCELoss",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "CosineSimilarity",
    "CrossEntropyLoss",
    "Fold",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "KLDivLoss",
    "LayerNorm",
    "LocalResponseNorm",
    "Mish",
    "MultiheadAttention",
    "PairwiseDistance",
    "RMSNorm",
    "Softplus",
    "Tanh",
    "Tanhshrink",
    "Unfold",
    "Upsample",
]


def _shape(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else tuple(value)


def _parameter(kind: str, shape: tuple[int, ...], wanted: bool = True) -> Parameter | None:
    create = ops.ones if kind == "ones" else ops.zeros
    return Parameter(create(shape, ms.float32)) if wanted else None


class LayerNorm(nn.Cell):
    """Normalise over the last axes, with or without weight and bias."""

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        super().__init__()
        only_float32(dtype)
        self.normalized_shape = _shape(normalized_shape)
        self.eps = self.epsilon = eps  # torch's name, and that of MindSpore's cell
        self.weight = _parameter("ones", self.normalized_shape, elementwise_affine)
        self.bias = _parameter("zeros", self.normalized_shape, elementwise_affine and bias)

    @property
    def gamma(self) -> Parameter | None:
        """The weight, by the name that `nn.LayerNorm` has for it."""
        return self.weight

    @property
    def beta(self) -> Parameter | None:
        """The bias, by the name that `nn.LayerNorm` has for it."""
        return self.bias

    def construct(self, input: Tensor) -> Tensor:
        return normalization.layer_norm(
            input, self.normalized_shape, self.weight, self.bias, self.eps
        )


class RMSNorm(nn.Cell):
    """Divide by the root mean square over the last axes."""

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        super().__init__()
        only_float32(dtype)
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.weight = _parameter("ones", self.normalized_shape, elementwise_affine)

    def construct(self, input: Tensor) -> Tensor:
        return normalization.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class Linear(nn.Cell):
    """Project the last axis; for classes that derive from torch's layer and read its attributes."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        super().__init__()
        only_float32(dtype)
        self.in_features = in_features
        self.out_features = out_features
        bound = 1.0 / math.sqrt(in_features) if in_features else 0.0
        start = Parameter(ops.zeros((out_features, in_features), ms.float32))
        self.weight = init.uniform_(start, -bound, bound)
        self.bias = None
        if bias:
            self.bias = init.uniform_(_parameter("zeros", (out_features,)), -bound, bound)

    def construct(self, input: Tensor) -> Tensor:
        product = ops.matmul(input, self.weight.swapaxes(0, 1))
        return product if self.bias is None else product + self.bias


class Conv1D(nn.Cell):
    """Project the last axis with a weight that stands input by output, as in GPT-2."""

    def __init__(self, nf: int, nx: int) -> None:
        super().__init__()
        self.nf = nf
        self.nx = nx
        self.weight = Parameter(ops.normal((nx, nf), Tensor(0.0), Tensor(0.02)))
        self.bias = _parameter("zeros", (nf,))

    def construct(self, x: Tensor) -> Tensor:
        return ops.matmul(x, self.weight) + self.bias


class _InstanceNorm(nn.Cell):
    axes: ClassVar[int] = 0

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        super().__init__()
        only_float32(dtype)
        if track_running_stats:
            raise ValueError(f"{type(self).__name__} does not track running statistics")
        self.momentum = momentum
        self.eps = eps
        self.weight = _parameter("ones", (num_features,), affine)
        self.bias = _parameter("zeros", (num_features,), affine)

    def construct(self, input: Tensor) -> Tensor:
        single = input.ndim == self.axes + 1  # without a batch
        result = normalization.instance_norm(
            ops.expand_dims(input, 0) if single else input,
            None,
            None,
            self.weight,
            self.bias,
            True,
            self.momentum,
            self.eps,
        )
        return result[0] if single else result


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of [batch, channels, length]."""

    axes = 1


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of [batch, channels, height, width]."""

    axes = 2


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of [batch, channels, depth, height, width]."""

    axes = 3


class MultiheadAttention(nn.Cell):
    """Attend with several heads; one weight projects query, key and value."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        batch_first: bool = False,
    ) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} is no multiple of num_heads {num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        weight = Parameter(ops.zeros((3 * embed_dim, embed_dim), ms.float32))
        self.in_proj_weight = init.xavier_uniform_(weight)
        self.in_proj_bias = _parameter("zeros", (3 * embed_dim,), bias)
        self.out_proj = nn.Dense(embed_dim, embed_dim, has_bias=bias)
        if bias:
            init.zeros_(self.out_proj.bias)

    def construct(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Return the output, and the weights [batch, query, key] averaged over heads, or None.

        Boolean masks are true where a query does not attend; others are added. `is_causal` only
        states what `attn_mask` says, and raises ValueError without it.
        """
        if is_causal and attn_mask is None:
            raise ValueError("is_causal needs attn_mask")
        if not self.batch_first:
            query = ops.swapaxes(query, 0, 1)
            key = ops.swapaxes(key, 0, 1)
            value = ops.swapaxes(value, 0, 1)
        queries = self._heads(query, 0)
        keys = self._heads(key, 1)
        scores = ops.matmul(queries, ops.swapaxes(keys, -1, -2)) * queries.shape[-1] ** -0.5
        if attn_mask is not None:
            if attn_mask.ndim == 3:
                attn_mask = ops.reshape(attn_mask, scores.shape)
            scores = _masked(scores, attn_mask)
        if key_padding_mask is not None:
            scores = _masked(scores, key_padding_mask.expand_dims(1).expand_dims(1))
        weights = ops.softmax(scores, -1)
        if self.training and self.dropout > 0.0:
            weights = ops.dropout(weights, p=self.dropout)
        joined = ops.swapaxes(ops.matmul(weights, self._heads(value, 2)), 1, 2)
        output = self.out_proj(
            ops.reshape(joined, (joined.shape[0], joined.shape[1], self.embed_dim))
        )
        if not self.batch_first:
            output = ops.swapaxes(output, 0, 1)
        if not need_weights:
            return output, None
        return output, ops.mean(weights, 1) if average_attn_weights else weights

    def _heads(self, input: Tensor, part: int) -> Tensor:
        """Project by one third of the weight, and split [batch, position, ...] into heads."""
        start = part * self.embed_dim
        stop = start + self.embed_dim
        bias = None if self.in_proj_bias is None else self.in_proj_bias[start:stop]
        projected = ops.dense(input, self.in_proj_weight[start:stop], bias)
        size = self.embed_dim // self.num_heads
        shape = (projected.shape[0], projected.shape[1], self.num_heads, size)
        return ops.swapaxes(ops.reshape(projected, shape), 1, 2)


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    if mask.dtype == ms.bool_:
        return ops.masked_fill(scores, mask, float("-inf"))
    return scores + mask
