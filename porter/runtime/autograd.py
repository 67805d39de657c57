"""Give a bprop what torch's autograd functions return and take."""

from __future__ import annotations

from typing import Any

from mindspore import Tensor, ops


def gradients(returned: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return one gradient for each input, as a bprop must.

    `returned` is what a torch `backward` gives: one gradient, or a tuple of them, None for an input
    that has none. Such an input gets zeros of its shape and dtype; one that is no tensor gets 0.
    """
    given = returned if isinstance(returned, tuple) else (returned,)
    result: tuple[Any, ...] = ()
    for gradient, value in zip(given, inputs):  # noqa: B905 - the graph compiler's zip has no strict
        if gradient is None:
            gradient = ops.zeros_like(value) if isinstance(value, Tensor) else 0
        result = (*result, gradient)
    return result


def as_tuple(gradient: Any) -> tuple[Any, ...]:
    """Return the gradients of a result as `backward(ctx, *gradients)` takes them."""
    return gradient if isinstance(gradient, tuple) else (gradient,)
