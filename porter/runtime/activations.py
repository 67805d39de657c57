"""Provide the activation cells of transformers.activations, by class and by name."""

# Names and parameters are those of transformers; a construct says what its class says.
# ruff: noqa: A002, ARG002, D101
# mypy: allow-subclassing-any

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from mindspore import Tensor, mint, nn, ops

from . import elementwise


class GELUActivation(nn.Cell):
    """Apply the exact GELU, x times the normal distribution function of x."""

    def __init__(self, use_gelu_python: bool = False) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return ops.gelu(input)


class GELUTanh(nn.Cell):
    """Apply the tanh approximation of GELU."""

    def __init__(self, use_gelu_tanh_python: bool = False) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return elementwise.gelu(input, "tanh")


class NewGELUActivation(GELUTanh):
    pass


class AccurateGELUActivation(GELUTanh):
    pass


PytorchGELUTanh = GELUTanh


class FastGELUActivation(nn.Cell):
    """Apply the tanh approximation of GELU with the constant cut to ten digits."""

    def construct(self, input: Tensor) -> Tensor:
        inner = input * 0.7978845608 * (1.0 + 0.044715 * input * input)
        return 0.5 * input * (1.0 + elementwise.tanh(inner))


class QuickGELUActivation(nn.Cell):
    """Apply the sigmoid approximation of GELU."""

    def construct(self, input: Tensor) -> Tensor:
        return input * ops.sigmoid(1.702 * input)


class ClippedGELUActivation(nn.Cell):
    """Apply the exact GELU and clip its range to [min, max]."""

    def __init__(self, min: float, max: float) -> None:
        if min > max:
            raise ValueError(f"min must not exceed max, got {min} and {max}")
        super().__init__()
        self.min = min
        self.max = max

    def construct(self, x: Tensor) -> Tensor:
        return ops.clamp(ops.gelu(x), self.min, self.max)


class SiLUActivation(nn.Cell):
    def construct(self, input: Tensor) -> Tensor:
        return ops.silu(input)


class MishActivation(nn.Cell):
    def construct(self, input: Tensor) -> Tensor:
        return elementwise.mish(input)


class LinearActivation(nn.Cell):
    def construct(self, input: Tensor) -> Tensor:
        return input


class LaplaceActivation(nn.Cell):
    """Apply the distribution function of a normal distribution with the given mean and width."""

    def construct(self, input: Tensor, mu: float = 0.707107, sigma: float = 0.282095) -> Tensor:
        return 0.5 * (1.0 + ops.erf((input - mu) / (sigma * math.sqrt(2.0))))


class ReLUSquaredActivation(nn.Cell):
    def construct(self, input: Tensor) -> Tensor:
        return ops.square(ops.relu(input))


class SqrtSoftplusActivation(nn.Cell):
    def construct(self, input: Tensor) -> Tensor:
        return ops.sqrt(elementwise.softplus(input))


class Tanh(nn.Cell):
    def construct(self, input: Tensor) -> Tensor:
        return elementwise.tanh(input)


class _FreshCells(dict[str, Callable[[], nn.Cell]]):
    """Map a name to a new cell at every lookup, so that no two layers share one."""

    def __getitem__(self, name: str) -> nn.Cell:
        return super().__getitem__(name)()


ACT2FN = _FreshCells(
    {
        "gelu": GELUActivation,
        "gelu_10": functools.partial(ClippedGELUActivation, min=-10, max=10),
        "gelu_accurate": AccurateGELUActivation,
        "gelu_fast": FastGELUActivation,
        "gelu_new": NewGELUActivation,
        "gelu_python": GELUActivation,
        "gelu_python_tanh": GELUTanh,
        "gelu_pytorch_tanh": GELUTanh,
        "hardswish": nn.HSwish,
        "laplace": LaplaceActivation,
        "leaky_relu": functools.partial(nn.LeakyReLU, alpha=0.01),
        "linear": LinearActivation,
        "mish": MishActivation,
        "prelu": mint.nn.PReLU,
        "quick_gelu": QuickGELUActivation,
        "relu": nn.ReLU,
        "relu2": ReLUSquaredActivation,
        "relu6": nn.ReLU6,
        "sigmoid": nn.Sigmoid,
        "silu": SiLUActivation,
        "sqrtsoftplus": SqrtSoftplusActivation,
        "swish": SiLUActivation,
        "tanh": Tanh,
    }
)


ACTIVATIONS = {name: ACT2FN[name] for name in ACT2FN if name != "prelu"}
"""Cells without parameters, by name: what a graph looks up, which can make no cell."""


class _Classes:
    """Map a name to what makes its cells."""

    def __getitem__(self, name: str) -> Callable[[], nn.Cell]:
        return functools.partial(ACT2FN.__getitem__, name)


ACT2CLS = _Classes()


def get_activation(activation_string: str) -> nn.Cell:
    """Return a new cell for a name. Raises KeyError with the names that there are."""
    if activation_string not in ACT2FN:
        raise KeyError(f"function {activation_string} not found in ACT2FN: {sorted(ACT2FN)}")
    return ACT2FN[activation_string]
