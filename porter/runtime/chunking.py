"""Apply a function to pieces of its inputs, as transformers.pytorch_utils does."""

from __future__ import annotations

from collections.abc import Callable

from mindspore import Tensor, ops


def apply_chunking_to_forward(
    forward_fn: Callable[..., Tensor], chunk_size: int, chunk_dim: int, *input_tensors: Tensor
) -> Tensor:
    """Return `forward_fn(*input_tensors)`, computed `chunk_size` rows of `chunk_dim` at a time.

    A plain call where `chunk_size` is 0. The chunked axis needs a size known when compiling.
    Raises ValueError where the sizes differ or are no multiple of `chunk_size`.
    """
    if len(input_tensors) == 0:
        raise ValueError("apply_chunking_to_forward needs at least one tensor")
    if chunk_size <= 0:
        return forward_fn(*input_tensors)
    size = input_tensors[0].shape[chunk_dim]
    for tensor in input_tensors:
        if tensor.shape[chunk_dim] != size:
            raise ValueError(f"axis {chunk_dim} has size {size} and {tensor.shape[chunk_dim]}")
    if size % chunk_size != 0:
        raise ValueError(f"axis {chunk_dim} of size {size} is no multiple of {chunk_size}")
    outputs = []
    for start in range(0, size, chunk_size):
        pieces = [ops.narrow(tensor, chunk_dim, start, chunk_size) for tensor in input_tensors]
        outputs.append(forward_fn(*pieces))
    return ops.cat(outputs, axis=chunk_dim)
