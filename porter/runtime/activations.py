"""Provide the activation cells of transformers.activations, by class and by name."""

# Names and parameters are those of transformers; a construct says what its class says.
# ruff: noqa: A002, ARG002, D101
# mypy: allow-subclassing-any

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, Tensor, mint, nn, ops

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


class XIELUActivation(nn.Cell):
    """Apply the xIELU of arXiv 2411.13010: quadratic above 0, an exponential below, both learned.

    Without a `dtype` its two weights are bfloat16, as in transformers.
    """

    def __init__(
        self,
        alpha_p_init: float = 0.8,
        alpha_n_init: float = 0.8,
        beta: float = 0.5,
        eps: float = -1e-6,
        dtype: ms.Type | None = ms.bfloat16,
        with_vector_loads: bool = False,
    ) -> None:
        super().__init__()
        own = ms.float32 if dtype is None else dtype
        positive = math.log(math.expm1(alpha_p_init))
        negative = math.log(math.expm1(alpha_n_init - beta))
        self.alpha_p = Parameter(Tensor([positive], own), name="alpha_p")
        self.alpha_n = Parameter(Tensor([negative], own), name="alpha_n")
        self.beta = Parameter(Tensor(beta, own), name="beta", requires_grad=False)
        self.eps = Parameter(Tensor(eps, own), name="eps", requires_grad=False)

    def construct(self, input: Tensor) -> Tensor:
        # Rounded to the dtype of the weights at each step, as torch computes with them.
        own = self.alpha_p.dtype
        beta = self.beta.astype(ms.float32)
        positive = elementwise.softplus(self.alpha_p.astype(ms.float32)).astype(own)
        negative = elementwise.softplus(self.alpha_n.astype(ms.float32)).astype(own)
        negative = (beta + negative.astype(ms.float32)).astype(own).astype(input.dtype)
        positive, beta = positive.astype(input.dtype), beta.astype(input.dtype)
        below = ops.minimum(input, self.eps.astype(input.dtype))
        return ops.where(
            input > 0,
            positive * input * input + beta * input,
            (ops.expm1(below) - input) * negative + beta * input,
        )


class _FreshCells(dict[str, Callable[..., nn.Cell]]):
    """Map a name to a new cell at every lookup, so that no two layers share one."""

    def __getitem__(self, name: str) -> nn.Cell:
        return self.maker(name)()

    def maker(self, name: str) -> Callable[..., nn.Cell]:
        return super().__getitem__(name)


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
        "xielu": XIELUActivation,
    }
)


ACTIVATIONS = {name: ACT2FN[name] for name in ACT2FN if name not in ("prelu", "xielu")}
"""Cells without parameters, by name: what a graph looks up, which can make no cell."""


class _Classes:
    """Map a name to what makes its cells."""

    def __getitem__(self, name: str) -> Callable[..., nn.Cell]:
        return ACT2FN.maker(name)


ACT2CLS = _Classes()


def get_activation(activation_string: str) -> nn.Cell:
    """Return a new cell for a name. Raises KeyError with the names that there are."""
    if activation_string not in ACT2FN:
        raise KeyError(f"function {activation_string} not found in ACT2FN: {sorted(ACT2FN)}")
    return ACT2FN[activation_string]
