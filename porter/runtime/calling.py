"""Call functions with arguments that were given before, and ask objects how they are called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore import nn
from mindspore.ops import constexpr


class Partial(nn.Cell):  # type: ignore[misc]
    """Call a function with some arguments given: a graph cannot call a functools.partial."""

    def __init__(self, function: Callable[..., Any], *given: Any, **named: Any) -> None:
        super().__init__()
        self.function = function
        self.given = given
        self.named = named

    def construct(self, *given: Any, **named: Any) -> Any:
        return self.function(*self.given, *given, **self.named, **named)


@constexpr  # type: ignore[untyped-decorator]
def parameter_names(called: Any) -> tuple[str, ...]:
    """Return the names of the parameters of a cell, a function or an object that is called."""
    if isinstance(called, nn.Cell):
        called = called.construct
    elif not inspect.isroutine(called):
        called = called.__call__
    return tuple(inspect.signature(called).parameters)
