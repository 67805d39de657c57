"""Make constant tensors that MindSpore computes on the host only."""

from __future__ import annotations

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.ops import constexpr


def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0) -> Tensor:
    """Return a Kaiser window in float32; a periodic one is cut off a longer symmetric one."""
    # A constexpr function gets its keyword arguments as one dictionary.
    return _kaiser(window_length, periodic, beta)


@constexpr  # type: ignore[untyped-decorator]
def _kaiser(window_length: int, periodic: bool, beta: float) -> Tensor:
    length = window_length + 1 if periodic and window_length > 1 else window_length
    window = np.kaiser(length, beta)[:window_length]
    return Tensor(window.astype(np.float32), ms.float32)


def logspace(start: float, end: float, steps: int, base: float = 10.0) -> Tensor:
    """Return powers of a base in float32, whose exponents have equal steps."""
    return _logspace(start, end, steps, base)


@constexpr  # type: ignore[untyped-decorator]
def _logspace(start: float, end: float, steps: int, base: float) -> Tensor:
    return Tensor(np.logspace(start, end, steps, base=base).astype(np.float32), ms.float32)
