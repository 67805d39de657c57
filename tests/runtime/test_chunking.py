"""Compare chunked calls with transformers, errors included."""

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

import pytest
import torch
from mindspore import Tensor, nn
from transformers.pytorch_utils import apply_chunking_to_forward as reference

from porter.runtime.chunking import apply_chunking_to_forward

from .support import MODES, check, floats, prepare


class Chunked(nn.Cell):
    """Apply a method in chunks, as the feed-forward part of a layer does."""

    def __init__(self, size: int, axis: int) -> None:
        super().__init__()
        self.size = size
        self.axis = axis

    def forward_chunk(self, a: Tensor, b: Tensor) -> Tensor:
        return a * b + a.sum()

    def construct(self, a: Tensor, b: Tensor) -> Tensor:
        return apply_chunking_to_forward(self.forward_chunk, self.size, self.axis, a, b)


def forward_chunk(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a * b + a.sum()


@pytest.mark.parametrize(("size", "axis"), [(0, 1), (2, 1), (6, 1), (1, 0), (2, -1)])
def test_chunks_are_transformers(size: int, axis: int) -> None:
    check(
        lambda: Chunked(size, axis),
        lambda a, b: reference(forward_chunk, size, axis, a, b),
        floats(3, 6, 4),
        floats(3, 6, 4, seed=1),
        static=(axis,),
    )


def refusal(mode: str, size: int, axis: int, *arrays: Any) -> None:
    inputs = [Tensor(array) for array in arrays]
    prepare(Chunked(size, axis), mode, inputs, static=(axis,))(*inputs)


@pytest.mark.parametrize("mode", MODES)
def test_size_that_does_not_divide_is_refused(mode: str) -> None:
    with pytest.raises(ValueError, match="no multiple of 4"):
        refusal(mode, 4, 1, floats(3, 6), floats(3, 6))


@pytest.mark.parametrize("mode", MODES)
def test_different_sizes_are_refused(mode: str) -> None:
    with pytest.raises(ValueError, match="size 6 and 1"):
        refusal(mode, 2, 1, floats(3, 6), floats(3, 1))


def test_no_tensor_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one tensor"):
        apply_chunking_to_forward(forward_chunk, 0, 1)
