"""Hold layers that take torch's arguments, for code that passes classes on to be called.

Results of MindSpore are new tensors: `inplace` says nothing here.
"""

# ruff: noqa: ARG002

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

from mindspore import Tensor, mint, nn, ops

from . import elementwise
from .parameters import only_float32
from .pooling import avg_pool3d


class Identity(nn.Cell):
    """Give back the input; made with any arguments, as in torch."""

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return the input."""
        return input


class Dropout(nn.Dropout):
    """Drop a share `p` of the values in training; the first argument of `nn.Dropout` keeps one."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__(p=p)


class ReLU(nn.ReLU):
    """Set negative values to 0."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()


class ReLU6(nn.ReLU6):
    """Keep values between 0 and 6."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()


class SiLU(nn.SiLU):
    """Multiply values by their sigmoid."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()


class LeakyReLU(nn.LeakyReLU):
    """Multiply negative values by a slope."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(alpha=negative_slope)


class CELU(nn.CELU):
    """Apply the continuously differentiable ELU."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(alpha)


class Hardsigmoid(nn.HSigmoid):
    """Apply the piecewise linear sigmoid."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()


class Hardswish(nn.HSwish):
    """Multiply values by their piecewise linear sigmoid."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()


class Hardtanh(nn.Hardtanh):
    """Keep values between two others."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__(min_val, max_val)


class ELU(nn.Cell):
    """Apply the exponential linear unit."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.elu` does."""
        return elementwise.elu(input, self.alpha)


class SELU(nn.Cell):
    """Apply the scaled ELU."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.selu` does."""
        return elementwise.selu(input)


class Mish(nn.Cell):
    """Apply x * tanh(softplus(x))."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.mish` does."""
        return elementwise.mish(input)


class PReLU(nn.PReLU):
    """Multiply negative values by a slope that is learned."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(channel=num_parameters, w=init)
        only_float32(dtype)
        self.num_parameters = num_parameters

    @property
    def weight(self) -> Any:
        """The slopes, by the name that torch has for them."""
        return self.w


class Softmax(nn.Softmax):
    """Apply the softmax over one axis, which must be given."""

    def __init__(self, dim: int) -> None:
        super().__init__(axis=dim)


class _Averaging:
    """Take torch's arguments for the pooling cell that a class derives from as well."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad


class AvgPool2d(_Averaging, nn.AvgPool2d):
    """Average over windows of [batch, channels, height, width]."""

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.avg_pool2d` does."""
        return ops.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            padding=self.padding,
            ceil_mode=self.ceil_mode,
            count_include_pad=self.count_include_pad,
        )


class AvgPool1d(_Averaging, nn.AvgPool1d):
    """Average over windows of [batch, channels, length]."""

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.avg_pool1d` does."""
        return ops.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            padding=self.padding,
            ceil_mode=self.ceil_mode,
            count_include_pad=self.count_include_pad,
        )


class AvgPool3d(_Averaging, nn.AvgPool3d):
    """Average over windows of [batch, channels, depth, height, width]."""

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.avg_pool3d` does."""
        return avg_pool3d(
            input,
            self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            ceil_mode=self.ceil_mode,
            count_include_pad=self.count_include_pad,
        )


class MaxPool2d(nn.MaxPool2d):
    """Take the largest of windows of [batch, channels, height, width].

    Raises ValueError where indices are wanted.
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        if return_indices:
            raise ValueError("the indices of maxima are not carried over")
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.ceil_mode = ceil_mode

    def construct(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return what `torch.nn.functional.max_pool2d` does."""
        return ops.max_pool2d(
            input,
            self.kernel_size,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            ceil_mode=self.ceil_mode,
        )


class GroupNorm(mint.nn.GroupNorm):
    """Normalise groups of channels; without weight and bias where `affine` is false."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        only_float32(dtype)
        if not affine:
            raise ValueError("a GroupNorm without weight is not passed on")
        super().__init__(num_groups, num_channels, eps=eps)


class BatchNorm1d(nn.BatchNorm1d):
    """Normalise each channel; `momentum` is the weight of the new statistics, as in torch.

    Raises ValueError where no statistics are to be kept.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        _kept(track_running_stats)
        only_float32(dtype)
        super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)


class BatchNorm2d(nn.BatchNorm2d):
    """Normalise each channel; `momentum` is the weight of the new statistics, as in torch.

    Raises ValueError where no statistics are to be kept.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        _kept(track_running_stats)
        only_float32(dtype)
        super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)


class BatchNorm3d(nn.BatchNorm3d):
    """Normalise each channel; `momentum` is the weight of the new statistics, as in torch.

    Raises ValueError where no statistics are to be kept.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        _kept(track_running_stats)
        only_float32(dtype)
        super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)


def _kept(track_running_stats: bool) -> None:
    if not track_running_stats:
        raise ValueError("statistics of the batch alone are not carried over")
