"""Compute the frequencies of rotary position embeddings, once, when a model is built.

Scaled by position (linear), by parts of the spectrum (Llama 3.1), or by a ramp between both (YaRN,
arXiv:2309.00071). Each function takes the configuration and, where a model has several kinds of
layer, the name of one; it returns the inverse frequencies and a factor for sine and cosine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor

Frequencies = tuple[Tensor, float]


def _parameters(config: Any, layer_type: str | None) -> dict[str, Any]:
    if hasattr(config, "standardize_rope_params"):
        config.standardize_rope_params()
    parameters = config.rope_parameters
    return dict(parameters[layer_type] if layer_type is not None else parameters)


def _exponents(config: Any, parameters: dict[str, Any]) -> Any:
    """Return 2i / d for each pair of the d rotated values."""
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    rotated = int(size * parameters.get("partial_rotary_factor", 1.0))
    return np.arange(0, rotated, 2, dtype=np.float32) / np.float32(rotated)


def _inverse(base: float, exponents: Any) -> Any:
    return np.float32(1.0) / np.power(np.float32(base), exponents, dtype=np.float32)


def _tensor(values: Any) -> Tensor:
    return Tensor(np.asarray(values, dtype=np.float32), ms.float32)


def _linear(config: Any, parameters: dict[str, Any], _length: int | None) -> Frequencies:
    plain = _inverse(parameters["rope_theta"], _exponents(config, parameters))
    return _tensor(plain / np.float32(parameters["factor"])), 1.0


def _dynamic(config: Any, parameters: dict[str, Any], length: int | None) -> Frequencies:
    """Return the frequencies for a given length, that of the configuration where none is given."""
    exponents = _exponents(config, parameters)
    longest, factor = config.max_position_embeddings, parameters["factor"]
    stretch = factor * max(length or 0, longest) / longest - (factor - 1)
    rotated = 2 * len(exponents)
    base = parameters["rope_theta"] * stretch ** (rotated / (rotated - 2))
    return _tensor(_inverse(base, exponents)), 1.0


def _llama3(config: Any, parameters: dict[str, Any], _length: int | None) -> Frequencies:
    plain = _inverse(parameters["rope_theta"], _exponents(config, parameters))
    factor = parameters["factor"]
    low, high = parameters["low_freq_factor"], parameters["high_freq_factor"]
    original = parameters["original_max_position_embeddings"]
    waves = 2 * math.pi / plain
    # 1 keeps a frequency, 0 divides it by the factor; between the two bounds it goes over.
    kept = np.clip((original / waves - low) / (high - low), 0.0, 1.0)
    return _tensor((1 - kept) * plain / factor + kept * plain), 1.0


def _yarn(config: Any, parameters: dict[str, Any], _length: int | None) -> Frequencies:
    base, exponents = parameters["rope_theta"], _exponents(config, parameters)
    original = parameters["original_max_position_embeddings"]
    factor = parameters["factor"]
    if factor is None:
        factor = config.max_position_embeddings / original
    rotated = 2 * len(exponents)

    def place(rotations: float) -> float:
        """Return the pair that turns so many times over the original length."""
        return rotated * math.log(original / (rotations * 2 * math.pi)) / (2 * math.log(base))

    first = place(parameters.get("beta_fast") or 32)
    last = place(parameters.get("beta_slow") or 1)
    if config.rope_parameters.get("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, rotated - 1)
    width = last - first if last != first else 0.001
    plain = _inverse(base, exponents)
    scaled = np.clip((np.arange(len(exponents), dtype=np.float32) - first) / width, 0.0, 1.0)
    values = plain / factor * scaled + plain * (1 - scaled)
    return _tensor(values), _yarn_attention(parameters, factor)


def _yarn_attention(parameters: dict[str, Any], factor: float) -> float:
    given = parameters.get("attention_factor")
    if given is not None:
        return float(given)
    over, under = parameters.get("mscale"), parameters.get("mscale_all_dim")
    if over and under:
        return _temperature(factor, over) / _temperature(factor, under)
    return _temperature(factor, 1.0)


def _temperature(factor: float, scale: float) -> float:
    return 1.0 if factor <= 1 else 0.1 * scale * math.log(factor) + 1.0


class _Type:
    """Compute the frequencies of one type, called as transformers calls such functions."""

    def __init__(self, compute: Callable[[Any, dict[str, Any], int | None], Frequencies]) -> None:
        self._compute = compute

    def __call__(
        self,
        config: Any,
        device: Any = None,
        seq_len: int | None = None,
        layer_type: str | None = None,
    ) -> Frequencies:
        del device
        return self._compute(config, _parameters(config, layer_type), seq_len)


class _RopeFunctions(dict[str, _Type]):
    def __missing__(self, kind: str) -> _Type:
        known = ", ".join(self)
        raise NotImplementedError(f"rotary embeddings of the type {kind!r}; there are {known}")


ROPE_INIT_FUNCTIONS = _RopeFunctions(
    linear=_Type(_linear), dynamic=_Type(_dynamic), yarn=_Type(_yarn), llama3=_Type(_llama3)
)
