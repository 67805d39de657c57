"""Fill parameters in place, as torch.nn.init and transformers.initialization do.

For use outside the graph. Every function returns the parameter that it filled.
"""

from __future__ import annotations

import math

import mindspore as ms
from mindspore import Parameter, Tensor, nn
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


def lecun_normal_(tensor: Parameter) -> Parameter:
    """Fill from a cut normal distribution, so that the variance suits the fan in."""
    # What is left between the bounds has this part of the deviation.
    return trunc_normal_(tensor, std=math.sqrt(1 / fans(tensor)[0]) / 0.87962566103423978)


def default_flax_embed_init_(tensor: Parameter) -> Parameter:
    """Fill from a normal distribution, so that the variance suits the fan in."""
    return normal_(tensor, std=math.sqrt(1 / fans(tensor)[0]))


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


def reset_parameters(module: nn.Cell) -> None:
    """Start the weights of a Dense or a convolution anew, as torch starts them.

    Raises TypeError for any other layer.
    """
    weight, bias = getattr(module, "weight", None), getattr(module, "bias", None)
    if not isinstance(weight, Parameter) or weight.ndim < 2 or isinstance(module, nn.Embedding):
        raise TypeError(f"{type(module).__name__} does not say how its parameters start")
    kaiming_uniform_(weight, a=math.sqrt(5.0))
    if isinstance(bias, Parameter):
        bound = 1.0 / math.sqrt(fans(weight)[0])
        uniform_(bias, -bound, bound)
