"""Provide cells for torch modules without a right counterpart, with torch's parameter names."""

# Names and parameters are those of torch; a construct says what its class says.
# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from . import elementwise, losses, normalization


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
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.weight = _parameter("ones", self.normalized_shape, elementwise_affine)
        self.bias = _parameter("zeros", self.normalized_shape, elementwise_affine and bias)

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
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.weight = _parameter("ones", self.normalized_shape, elementwise_affine)

    def construct(self, input: Tensor) -> Tensor:
        return normalization.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class _InstanceNorm(nn.Cell):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
    ) -> None:
        super().__init__()
        if track_running_stats:
            raise ValueError(f"{type(self).__name__} does not track running statistics")
        self.momentum = momentum
        self.eps = eps
        self.weight = _parameter("ones", (num_features,), affine)
        self.bias = _parameter("zeros", (num_features,), affine)

    def construct(self, input: Tensor) -> Tensor:
        return normalization.instance_norm(
            input, None, None, self.weight, self.bias, True, self.momentum, self.eps
        )


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of [batch, channels, length]."""


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of [batch, channels, height, width]."""


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of [batch, channels, depth, height, width]."""


class Softplus(nn.Cell):
    """Apply log(1 + exp(beta * x)) / beta."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.softplus(input, self.beta, self.threshold)


class GELU(nn.Cell):
    """Apply the exact GELU, or its tanh approximation."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.gelu(input, self.approximate)


class Tanh(nn.Cell):
    """Apply the hyperbolic tangent."""

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.tanh(input)


class SELU(nn.Cell):
    """Apply the scaled ELU."""

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.selu(input)


class Mish(nn.Cell):
    """Apply x * tanh(softplus(x))."""

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.mish(input)


class LocalResponseNorm(nn.Cell):
    """Divide each channel by a power of the mean square of its neighbours."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def construct(self, input: Tensor) -> Tensor:
        return normalization.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CosineSimilarity(nn.Cell):
    """Return the cosine of the angle between vectors along an axis."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return losses.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(nn.Cell):
    """Return the p-norm of the difference along the last axis."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return losses.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class KLDivLoss(nn.Cell):
    """Return the divergence of log-probabilities from probabilities."""

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__()
        self.reduction = reduction
        self.log_target = log_target

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return losses.kl_div(input, target, self.reduction, self.log_target)
