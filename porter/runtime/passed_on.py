"""Hold layers that take torch's arguments, for code that passes classes on to be called.

Results of MindSpore are new tensors: `inplace` says nothing here.
"""

# ruff: noqa: ARG002

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

from mindspore import Tensor, nn


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
    ) -> None:
        if not track_running_stats:
            raise ValueError("statistics of the batch alone are not carried over")
        super().__init__(num_features, eps=eps, momentum=1 - momentum, affine=affine)
