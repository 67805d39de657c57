"""Describe the tensors of an opened checkpoint without loading them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from porter.weights.dtypes import Array, Dtype


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One tensor of a checkpoint: its name there, its shape and its dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: Dtype


class Checkpoint(Protocol):
    """Named tensors that are loaded one at a time."""

    @property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """Every tensor by its name, in the order of the checkpoint."""

    def read(self, name: str) -> Array:
        """Return one tensor, C-contiguous, bfloat16 as uint16 bits."""

    def close(self) -> None:
        """Release the files; nothing can be read afterwards."""
