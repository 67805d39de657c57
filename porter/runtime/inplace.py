"""Give a tensor new values where code outside of a graph updates it in place."""

from __future__ import annotations

from typing import Any

from mindspore import Parameter, Tensor, ops


def update(tensor: Tensor, value: Tensor) -> Tensor:
    """Give a tensor the values and the shape of another, and return it.

    It keeps its dtype. Every name of the tensor sees the update; a view of it does not.
    """
    converted = value.astype(tensor.dtype)
    if isinstance(tensor, Parameter) and tensor.shape == converted.shape:
        # An optimizer that was compiled goes on with the memory that the parameter had.
        ops.assign(tensor, converted)
    else:
        tensor.assign_value(converted.copy())
    return tensor


def write_out(out: Any, value: Any) -> Any:
    """Write a result into the tensor, or the tensors, that `out` names, and return these."""
    if isinstance(out, tuple | list):
        return tuple([update(item, part) for item, part in zip(out, value, strict=True)])
    return update(out, value)
