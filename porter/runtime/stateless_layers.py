"""Provide cells without parameters for torch modules that have no right counterpart."""

# Names and parameters are those of torch; a construct says what its class says.
# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Tensor, nn, ops

from . import convolution, elementwise, losses, normalization
from .resampling import interpolate


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


class Tanhshrink(nn.Cell):
    """Apply x - tanh(x)."""

    def construct(self, input: Tensor) -> Tensor:
        return input - elementwise.tanh(input)


class SELU(nn.Cell):
    """Apply the scaled ELU."""

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.selu(input)


class Mish(nn.Cell):
    """Apply x * tanh(softplus(x))."""

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.mish(input)


class ELU(nn.Cell):
    """Apply the exponential linear unit."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.elu(input, self.alpha)


class GroupNorm(nn.Cell):
    """Normalise groups of channels, without weight and bias."""

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps

    def construct(self, input: Tensor) -> Tensor:
        return normalization.group_norm(input, self.num_groups, None, None, self.eps)


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


class BCELoss(nn.Cell):
    """Return the cross entropy of probabilities and targets between 0 and 1."""

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__()
        self.weight = weight
        self.reduction = reduction

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return losses.binary_cross_entropy(input, target, self.weight, self.reduction)


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


class CrossEntropyLoss(nn.Cell):
    """Return the cross entropy of logits [batch, class, ...] and classes or probabilities."""

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__()
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.label_smoothing = label_smoothing

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        if not target.is_floating_point():
            target = target.astype(ms.int32)
        return ops.cross_entropy(
            input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class Upsample(nn.Cell):
    """Resize the axes after [batch, channels, ...] to a size, or by a factor."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, input: Tensor) -> Tensor:
        return interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )


class Unfold(nn.Cell):
    """Return the windows of [batch, channels, height, width] as columns."""

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Tensor) -> Tensor:
        return convolution.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(nn.Cell):
    """Return the sum of the windows that `Unfold` gives."""

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Tensor) -> Tensor:
        return convolution.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )
