"""Make constant tensors that MindSpore computes on the host only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.ops import constexpr


def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0) -> Tensor:
    """Return a Kaiser window in float32; a periodic one is cut off a longer symmetric one."""
    return window("kaiser", window_length, (beta,), not periodic)


def window(
    kind: str,
    length: int,
    parameters: Sequence[float | None] = (),
    sym: bool = True,
    dtype: ms.Type | None = None,
) -> Tensor:
    """Return a window of torch.signal.windows, in float32 unless a dtype is asked for.

    A window that is not symmetric is periodic: a longer one without its last element.
    """
    # A constexpr function gets its keyword arguments as one dictionary.
    return _window(kind, length, sym, ms.float32 if dtype is None else dtype, tuple(parameters))


@constexpr  # type: ignore[untyped-decorator]
def _window(
    kind: str, length: int, sym: bool, dtype: ms.Type, parameters: tuple[float | None, ...]
) -> Tensor:
    whole = length if sym or length < 2 else length + 1
    values = np.asarray(_values(kind, whole, parameters))[:length]
    return Tensor(values.astype(ms.dtype_to_nptype(dtype)), dtype)


def _values(kind: str, whole: int, parameters: tuple[float | None, ...]) -> Any:
    """Return the values of a symmetric window of `whole` elements."""
    place = np.arange(whole, dtype=np.float64)
    if whole < 2:
        return np.ones(whole)
    turn = 2 * np.pi * place / (whole - 1)
    if kind == "kaiser":
        return np.kaiser(whole, float(parameters[0] or 0))
    if kind == "bartlett":
        return 1 - np.abs(2 * place / (whole - 1) - 1)
    if kind == "cosine":
        return np.sin(np.pi * (place + 0.5) / whole)
    if kind == "gaussian":
        return np.exp(-0.5 * ((place - (whole - 1) / 2) / float(parameters[0] or 1)) ** 2)
    if kind == "exponential":
        center, tau = parameters
        middle = (whole - 1) / 2 if center is None else center
        return np.exp(-np.abs(place - middle) / float(tau or 1))
    weights = [float(item or 0) for item in parameters]
    return sum(
        (weight * (-1) ** order * np.cos(order * turn) for order, weight in enumerate(weights)),
        np.zeros(whole),
    )


def logspace(start: float, end: float, steps: int, base: float = 10.0) -> Tensor:
    """Return powers of a base in float32, whose exponents have equal steps."""
    return _logspace(start, end, steps, base)


@constexpr  # type: ignore[untyped-decorator]
def _logspace(start: float, end: float, steps: int, base: float) -> Tensor:
    return Tensor(np.logspace(start, end, steps, base=base).astype(np.float32), ms.float32)
