"""Ask objects how they are called, while a graph is compiled."""

from __future__ import annotations

import inspect
from typing import Any

from mindspore import nn
from mindspore.ops import constexpr


@constexpr  # type: ignore[untyped-decorator]
def parameter_names(called: Any) -> tuple[str, ...]:
    """Return the names of the parameters of a cell, a function or an object that is called."""
    if isinstance(called, nn.Cell):
        called = called.construct
    elif not inspect.isroutine(called):
        called = called.__call__
    return tuple(inspect.signature(called).parameters)
