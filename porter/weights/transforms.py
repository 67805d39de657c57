"""Change a value's layout between torch and MindSpore, always in a way that can be undone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from porter.types import PorterError
from porter.weights.dtypes import Array

_AXES = re.compile(r"(insert_axis|permute|reorder):(\d+(?:,\d+)*)")


@dataclass(frozen=True, slots=True)
class Transform:
    """One of a closed set, from torch to MindSpore.

    `insert_axis:2` makes (out, in, k) of a torch.nn.Conv1d weight the (out, in, 1, k) that
    mindspore.nn.Conv1d holds. `permute:1,0` swaps the axes of a matrix. `reorder:0,2,1,3` divides
    the first axis into as many equal blocks and puts block 0, 2, 1, 3 of torch in their order, as
    for the gates of a recurrent layer.
    """

    kind: str
    axes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}:{','.join(map(str, self.axes))}" if self.axes else self.kind

    @property
    def keeps_order(self) -> bool:
        """Tell whether the bytes stay in their order, so that the shape alone changes."""
        return self.kind in ("identity", "insert_axis")

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return what a torch tensor's shape becomes.

        Raises ValueError when a tensor of this rank cannot be transformed.
        """
        if self.kind == "identity":
            return shape
        if self.kind == "insert_axis":
            (axis,) = self.axes
            if axis > len(shape):
                raise ValueError(f"no axis {axis} can be inserted into {shape}")
            return (*shape[:axis], 1, *shape[axis:])
        if self.kind == "reorder":
            return self._check_blocks(shape)
        if len(self.axes) != len(shape):
            raise ValueError(f"{shape} does not have {len(self.axes)} axes")
        return tuple(shape[axis] for axis in self.axes)

    def inverted_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return what a MindSpore tensor's shape becomes.

        Raises ValueError when `shape` cannot have given it.
        """
        if self.kind == "identity":
            return shape
        if self.kind == "insert_axis":
            (axis,) = self.axes
            if axis >= len(shape) or shape[axis] != 1:
                raise ValueError(f"{shape} has no axis {axis} of size 1")
            return (*shape[:axis], *shape[axis + 1 :])
        if self.kind == "reorder":
            return self._check_blocks(shape)
        if len(self.axes) != len(shape):
            raise ValueError(f"{shape} does not have {len(self.axes)} axes")
        return tuple(shape[self.axes.index(axis)] for axis in range(len(shape)))

    def apply(self, value: Array) -> Array:
        """Return the MindSpore value of a torch value, contiguous; raises ValueError as `shape`."""
        shape = self.shape(value.shape)
        if self.kind == "permute":
            return np.ascontiguousarray(value.transpose(self.axes))
        if self.kind == "reorder":
            return self._blocks(value)[list(self.axes)].reshape(shape)
        return value.reshape(shape)

    def invert(self, value: Array) -> Array:
        """Return the torch value of a MindSpore value, contiguous.

        Raises ValueError when `apply` cannot have given a value of this shape.
        """
        shape = self.inverted_shape(value.shape)
        if self.kind == "permute":
            return np.ascontiguousarray(value.transpose(np.argsort(self.axes)))
        if self.kind == "reorder":
            return self._blocks(value)[np.argsort(self.axes)].reshape(shape)
        return value.reshape(shape)

    def _check_blocks(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        if not shape or shape[0] % len(self.axes):
            raise ValueError(f"the first axis of {shape} has no {len(self.axes)} equal blocks")
        return shape

    def _blocks(self, value: Array) -> Array:
        return value.reshape(len(self.axes), value.shape[0] // len(self.axes), *value.shape[1:])


IDENTITY = Transform("identity")


def parse_transform(text: str) -> Transform:
    """Read a transform as mapping tables spell it.

    Raises PorterError (PRT901) for anything outside the closed set.
    """
    if text == "identity":
        return IDENTITY
    match = _AXES.fullmatch(text)
    if match is not None:
        axes = tuple(int(axis) for axis in match[2].split(","))
        if match[1] != "insert_axis" and sorted(axes) == list(range(len(axes))):
            return Transform(match[1], axes)
        if match[1] == "insert_axis" and len(axes) == 1:
            return Transform("insert_axis", axes)
    raise PorterError(
        "PRT901",
        f"unknown weight transform {text!r}",
        hint="one of identity, insert_axis:N, permute:A,B,..., reorder:A,B,...",
    )
