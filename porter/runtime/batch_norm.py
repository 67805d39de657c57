"""Normalise batches with torch's names, for classes that derive from torch's layers.

The statistics are Parameters that take no gradient, as a graph can update nothing else.
"""

# ruff: noqa: A002

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from .normalization import batch_norm
from .parameters import only_float32


class _BatchNorm(nn.Cell):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        super().__init__()
        only_float32(dtype)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        shape = (num_features,)
        self.weight = Parameter(ops.ones(shape, ms.float32)) if affine else None
        self.bias = Parameter(ops.zeros(shape, ms.float32)) if affine else None
        self.running_mean: Parameter | None = None
        self.running_var: Parameter | None = None
        self.num_batches_tracked: Parameter | None = None
        if track_running_stats:
            mean, variance = ops.zeros(shape, ms.float32), ops.ones(shape, ms.float32)
            self.running_mean = Parameter(mean, requires_grad=False)
            self.running_var = Parameter(variance, requires_grad=False)
            self.num_batches_tracked = Parameter(Tensor(0, ms.int64), requires_grad=False)

    @property
    def gamma(self) -> Parameter | None:
        """The weight, by MindSpore's name."""
        return self.weight

    @property
    def beta(self) -> Parameter | None:
        """The bias, by MindSpore's name."""
        return self.bias

    @property
    def moving_mean(self) -> Parameter | None:
        """The running mean, by MindSpore's name."""
        return self.running_mean

    @property
    def moving_variance(self) -> Parameter | None:
        """The running variance, by MindSpore's name."""
        return self.running_var

    def construct(self, input: Tensor) -> Tensor:
        """Normalise [batch, channels, ...]; in training the statistics take in the batch's.

        Raises ValueError in training for `momentum=None`, the average over all batches.
        """
        if self.training and self.track_running_stats and self.momentum is None:
            raise ValueError("momentum=None is not carried over")
        return batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or self.running_mean is None,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Normalise [batch, channels] or [batch, channels, length]."""


class BatchNorm2d(_BatchNorm):
    """Normalise [batch, channels, height, width]."""


class BatchNorm3d(_BatchNorm):
    """Normalise [batch, channels, depth, height, width]."""


class FrozenBatchNorm2d(nn.Cell):
    """Normalise by statistics that stay as they are; nothing here takes a gradient."""

    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        shape = (num_features,)
        self.weight = Parameter(ops.ones(shape, ms.float32), requires_grad=False)
        self.bias = Parameter(ops.zeros(shape, ms.float32), requires_grad=False)
        self.running_mean = Parameter(ops.zeros(shape, ms.float32), requires_grad=False)
        self.running_var = Parameter(ops.ones(shape, ms.float32), requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        """Return [batch, channels, height, width] scaled and shifted by channel."""
        mean, variance = self.running_mean, self.running_var
        return batch_norm(x, mean, variance, self.weight, self.bias, False, 0.0, self.eps)
