"""Keep gradients at parameters, as torch does: summed up by each backward until they are reset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mindspore import Parameter, Tensor, nn, ops

from .inplace import update
from .parameters import parameters_of


def every_parameter(*sources: Any) -> list[Parameter]:
    """Return the parameters of cells, optimizers, containers and iterators, each once."""
    found: dict[int, Parameter] = {}
    for source in sources:
        if isinstance(source, Parameter):
            inner: Iterable[Any] = ()
            found[id(source)] = source
        elif hasattr(source, "param_groups"):
            inner = source.parameters
        elif isinstance(source, nn.Cell):
            inner = parameters_of(source)
        elif isinstance(source, dict):
            inner = source.values()
        elif isinstance(source, Tensor):
            inner = ()
        elif isinstance(source, Iterable):
            inner = source
        else:
            raise TypeError(f"a {type(source).__name__} has no parameters")
        found.update((id(item), item) for item in (every_parameter(*inner) if inner else ()))
    return list(found.values())


def named_apart(parameters: Any) -> list[Any]:
    """Return parameters, or groups of them, as a list in which no two have the same name.

    An optimizer keeps its state by their names, and cells that are in no other share some.
    """
    taken: set[str] = set()

    def named(items: Any) -> list[Any]:
        result: list[Any] = []
        for item in items:
            if isinstance(item, dict):
                held = item["params"]
                held = [held] if isinstance(held, Tensor) else held
                result.append({**item, "params": named(held)})
                continue
            name, number = item.name, 2
            while item.name in taken:
                item.name = f"{name}_{number}"
                number += 1
            taken.add(item.name)
            result.append(item)
        return result

    return named(parameters)


def trainable(*sources: Any) -> list[Parameter]:
    """Return the parameters of `every_parameter` that require a gradient."""
    return [parameter for parameter in every_parameter(*sources) if parameter.requires_grad]


def gradient(tensor: Any) -> Any:
    """Return the gradient that is kept at a parameter, None where there is none."""
    return getattr(tensor, "grad", None)


def accumulate(weights: Iterable[Parameter], gradients: Sequence[Tensor]) -> None:
    """Add gradients to those that are kept at the parameters."""
    for weight, value in zip(weights, gradients, strict=True):
        held = gradient(weight)
        if held is None:
            weight.grad = value
        else:
            update(held, held + value)


def zero_grad(source: Any, set_to_none: bool = True) -> None:
    """Forget the gradients of a cell's or an optimizer's parameters, or set them to zero."""
    for parameter in every_parameter(source):
        held = gradient(parameter)
        if set_to_none:
            parameter.grad = None
        elif held is not None:
            update(held, ops.zeros_like(held))


def step(optimizer: Any) -> None:
    """Let an optimizer take a step by the gradients that are kept at its parameters.

    A parameter without a gradient stays as it is, and so does what the optimizer keeps of it.
    """
    weights = optimizer.parameters
    held = [gradient(weight) for weight in weights]
    without = [position for position, value in enumerate(held) if value is None]
    if len(without) == len(held):
        return
    states = [
        value
        for value in vars(optimizer).values()
        if isinstance(value, tuple) and len(value) == len(weights)
    ]
    kept = [
        (table[position], table[position].copy())
        for table in (weights, *states)
        for position in without
        if isinstance(table[position], Parameter)
    ]
    optimizer(
        tuple([ops.zeros_like(w) if g is None else g for w, g in zip(weights, held, strict=True)])
    )
    for parameter, value in kept:
        update(parameter, value)


def norm_of(gradients: Iterable[Tensor], norm_type: float = 2.0) -> Tensor:
    """Return the norm of gradients as if they were one vector."""
    every = ops.cat([value.reshape(-1) for value in gradients])
    if norm_type == float("inf"):
        return every.abs().max()
    if norm_type == 2.0:
        return (every * every).sum().sqrt()
    return (every.abs() ** norm_type).sum() ** (1.0 / norm_type)


def _factor(norm: Tensor, max_norm: float) -> Tensor:
    return ops.minimum(max_norm / (norm + 1e-6), ops.ones_like(norm))


def clipped_by_norm(
    gradients: Sequence[Tensor], max_norm: float, norm_type: float = 2.0
) -> tuple[tuple[Tensor, ...], Tensor]:
    """Return gradients of at most a norm, and the norm that they had."""
    norm = norm_of(gradients, norm_type)
    factor = _factor(norm, float(max_norm))
    return tuple([value * factor for value in gradients]), norm


def clipped_by_value(gradients: Sequence[Tensor], clip_value: float) -> tuple[Tensor, ...]:
    """Return gradients with each number between -clip_value and clip_value."""
    bound = float(clip_value)
    return tuple([value.clamp(-bound, bound) for value in gradients])


def _held(parameters: Any) -> list[Tensor]:
    held = [gradient(parameter) for parameter in every_parameter(parameters)]
    return [value for value in held if value is not None]


def clip_grad_norm(parameters: Any, max_norm: float, norm_type: float = 2.0) -> Tensor:
    """Clip the gradients that are kept at parameters, together; returns the norm they had."""
    held = _held(parameters)
    if not held:
        return ops.zeros(())
    clipped, norm = clipped_by_norm(held, max_norm, norm_type)
    for value, new in zip(held, clipped, strict=True):
        update(value, new)
    return norm


def clip_grad_value(parameters: Any, clip_value: float) -> None:
    """Clip each number of the gradients that are kept at parameters."""
    held = _held(parameters)
    for value, new in zip(held, clipped_by_value(held, clip_value), strict=True):
        update(value, new)
