"""Fill parameters in place, as torch.nn.init and transformers.initialization do.

For use outside the graph. Every function returns the parameter that it filled.
"""

from __future__ import annotations

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor
from mindspore.common import initializer as init


def _fill(tensor: Parameter, kind: init.Initializer) -> Parameter:
    return _set(tensor, init.initializer(kind, tensor.shape, tensor.dtype).init_data())


def _set(tensor: Parameter, values: Tensor) -> Parameter:
    """Give a parameter, or a buffer, which is a plain tensor, these values."""
    if isinstance(tensor, Parameter):
        tensor.set_data(values)
    else:
        tensor.assign_value(values)
    return tensor


def zeros_(tensor: Parameter) -> Parameter:
    """Fill with zeros."""
    return _fill(tensor, init.Zero())


def ones_(tensor: Parameter) -> Parameter:
    """Fill with ones."""
    return _fill(tensor, init.One())


def constant_(tensor: Parameter, val: float) -> Parameter:
    """Fill with one number."""
    return _fill(tensor, init.Constant(val))


def normal_(tensor: Parameter, mean: float = 0.0, std: float = 1.0) -> Parameter:
    """Fill from a normal distribution."""
    return _fill(tensor, init.Normal(sigma=std, mean=mean))


def uniform_(tensor: Parameter, a: float = 0.0, b: float = 1.0) -> Parameter:
    """Fill from a uniform distribution over [a, b)."""
    unit = init.initializer(init.Uniform(0.5), tensor.shape, ms.float32).init_data()
    return copy_(tensor, (a + b) / 2 + (b - a) * unit)


def trunc_normal_(
    tensor: Parameter, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0
) -> Parameter:
    """Fill from a normal distribution cut to [a, b]; the bounds do not scale with std."""
    low, high = (a - mean) / std, (b - mean) / std
    kind = init.TruncatedNormal(sigma=1.0, mean=0.0, a=low, b=high)
    unit = init.initializer(kind, tensor.shape, ms.float32).init_data()
    return copy_(tensor, ms.ops.clamp(mean + std * unit, a, b))


def xavier_uniform_(tensor: Parameter, gain: float = 1.0) -> Parameter:
    """Fill uniformly, so that the variance suits the fans in and out."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Parameter, gain: float = 1.0) -> Parameter:
    """Fill normally, so that the variance suits the fans in and out."""
    return normal_(tensor, std=gain * math.sqrt(2.0 / sum(fans(tensor))))


def kaiming_uniform_(
    tensor: Parameter, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Parameter:
    """Fill uniformly, so that the variance suits one fan and the nonlinearity that follows."""
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(
    tensor: Parameter, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Parameter:
    """Fill normally, so that the variance suits one fan and the nonlinearity that follows."""
    return normal_(tensor, std=_kaiming_std(tensor, a, mode, nonlinearity))


def copy_(tensor: Parameter, other: Tensor) -> Parameter:
    """Copy values, broadcast to the parameter's shape and cast to its dtype."""
    return _set(tensor, ms.ops.broadcast_to(other, tensor.shape).astype(tensor.dtype))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor by which torch scales the standard deviation for a nonlinearity.

    `param` is the slope of leaky_relu. Raises ValueError for a name that torch does not know.
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    gains = {"relu": math.sqrt(2.0), "tanh": 5.0 / 3, "selu": 0.75, "sigmoid": 1.0, "linear": 1.0}
    if nonlinearity.removesuffix("d")[:-1] in ("conv", "conv_transpose"):
        return 1.0
    if nonlinearity not in gains:
        raise ValueError(f"unknown nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def _kaiming_std(tensor: Parameter, a: float, mode: str, nonlinearity: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"mode is fan_in or fan_out, not {mode}")
    fan = fans(tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def fans(tensor: Tensor) -> tuple[int, int]:
    """Return the fans in and out of a weight [out, in, *kernel]. Raises ValueError for a vector."""
    if tensor.ndim < 2:
        raise ValueError(f"fans need two axes or more, not {tensor.ndim}")
    kernel = 1
    for length in tensor.shape[2:]:
        kernel = kernel * length
    return tensor.shape[1] * kernel, tensor.shape[0] * kernel


def eye_(tensor: Parameter) -> Parameter:
    """Fill a matrix with the identity."""
    return copy_(tensor, ms.ops.eye(tensor.shape[0], tensor.shape[1], ms.float32))


def dirac_(tensor: Parameter, groups: int = 1) -> Parameter:
    """Fill the weight of a convolution so that it hands its channels on, as far as there are."""
    values = np.zeros(tensor.shape, np.float32)
    size = tensor.shape[0] // groups
    middle = tuple(length // 2 for length in tensor.shape[2:])
    for group in range(groups):
        for channel in range(min(size, tensor.shape[1])):
            values[(group * size + channel, channel, *middle)] = 1
    return copy_(tensor, Tensor(values))


def orthogonal_(tensor: Parameter, gain: float = 1) -> Parameter:
    """Fill with rows, or columns where they are fewer, that are orthogonal and of one length."""
    rows = tensor.shape[0]
    columns = int(np.prod(tensor.shape[1:]))
    drawn = init.initializer(init.Normal(1.0), (rows, columns), ms.float32).init_data().asnumpy()
    tall = drawn.T if rows < columns else drawn
    factor, triangle = np.linalg.qr(tall)
    factor = factor * np.sign(np.diag(triangle))
    values = factor.T if rows < columns else factor
    return copy_(tensor, Tensor((gain * values).reshape(tensor.shape).astype(np.float32)))


def sparse_(tensor: Parameter, sparsity: float, std: float = 0.01) -> Parameter:
    """Fill a matrix normally, with a share of zeros in each column."""
    rows, columns = tensor.shape
    drawn = init.initializer(init.Normal(std), (rows, columns), ms.float32).init_data().asnumpy()
    order = init.initializer(init.Normal(1.0), (rows, columns), ms.float32).init_data().asnumpy()
    values = drawn.copy()
    dropped = np.argsort(order, 0)[: math.ceil(sparsity * rows)]
    np.put_along_axis(values, dropped, 0, 0)
    return copy_(tensor, Tensor(values))
