"""Say how a tensor is made of others, as data: it is read, streamed and undone from the same tree.

A value is a tensor of a checkpoint, or made of such by a transform, by taking a part along an axis
(one of q, k, v), or by joining parts. Every step moves bits and can be undone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from porter.weights.dtypes import Array, Dtype
from porter.weights.tensor import Checkpoint, TensorInfo, count_items
from porter.weights.transforms import Transform

Span = tuple[str, int, int]
"""A tensor of the checkpoint by name, and the bytes of it from one place to another."""


@dataclass(frozen=True)
class Part:
    """One part of an axis: `sizes` are the relative sizes of all parts, `index` says which it is.

    With `groups` the axis holds that many groups, each of which has all the parts, as in a fused
    projection that is stored head by head.
    """

    axis: int
    index: int
    sizes: tuple[int, ...]
    groups: int = 1

    def __str__(self) -> str:
        sizes = "" if set(self.sizes) == {1} else f" of sizes {self.sizes}"
        groups = "" if self.groups == 1 else f" in {self.groups} groups"
        return f"part {self.index + 1}/{len(self.sizes)} of axis {self.axis}{sizes}{groups}"

    def extent(self, length: int) -> tuple[int, int]:
        """Return where the part begins in a group of an axis of `length`, and its size there.

        Raises ValueError where the axis cannot be divided so.
        """
        unit, rest = divmod(length, self.groups * sum(self.sizes))
        if rest:
            raise ValueError(f"an axis of {length} cannot be divided into {self}")
        return unit * sum(self.sizes[: self.index]), unit * self.sizes[self.index]

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part; raises ValueError where there is none."""
        if self.axis >= len(shape):
            raise ValueError(f"{shape} has no axis {self.axis} to divide")
        _, size = self.extent(shape[self.axis])
        return (*shape[: self.axis], size * self.groups, *shape[self.axis + 1 :])

    def take(self, value: Array) -> Array:
        """Return the part, contiguous; raises ValueError as `shape`."""
        begin, size = self.extent(value.shape[self.axis])
        grouped = _grouped(value, self.axis, self.groups)
        taken = grouped[:, :, begin : begin + size]
        return np.ascontiguousarray(taken).reshape(self.shape(value.shape))


class Value:
    """A tensor that can be read from a checkpoint. The fields of its classes say how."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape; raises ValueError where the steps do not fit what they are applied to."""
        raise NotImplementedError

    @property
    def dtype(self) -> Dtype:
        """Its dtype, which no step changes."""
        raise NotImplementedError

    @property
    def sources(self) -> tuple[str, ...]:
        """The tensors of the checkpoint that it is made of."""
        raise NotImplementedError

    @property
    def spans(self) -> tuple[Span, ...] | None:
        """The bytes that, joined, are its own, or None where they must be moved about."""
        return None

    @property
    def steps(self) -> tuple[str, ...]:
        """Every step but reading, in words, for reports."""
        return ()

    @property
    def size(self) -> int:
        """Bytes."""
        return count_items(self.shape) * self.dtype.storage.itemsize

    def read(self, checkpoint: Checkpoint) -> Array:
        """Return it, C-contiguous, bfloat16 as uint16 bits."""
        raise NotImplementedError


@dataclass(frozen=True)
class Source(Value):
    """A tensor of the checkpoint as it is."""

    info: TensorInfo

    @property
    def shape(self) -> tuple[int, ...]:
        return self.info.shape

    @property
    def dtype(self) -> Dtype:
        return self.info.dtype

    @property
    def sources(self) -> tuple[str, ...]:
        return (self.info.name,)

    @property
    def spans(self) -> tuple[Span, ...] | None:
        return ((self.info.name, 0, self.info.size),) if self.info.direct else None

    def read(self, checkpoint: Checkpoint) -> Array:
        return checkpoint.read(self.info.name)


@dataclass(frozen=True)
class Transformed(Value):
    """A value in the layout of MindSpore, or with `inverse` back in that of torch."""

    inner: Value
    transform: Transform
    inverse: bool = False

    @cached_property
    def shape(self) -> tuple[int, ...]:
        change = self.transform.inverted_shape if self.inverse else self.transform.shape
        return change(self.inner.shape)

    @property
    def dtype(self) -> Dtype:
        return self.inner.dtype

    @property
    def sources(self) -> tuple[str, ...]:
        return self.inner.sources

    @property
    def spans(self) -> tuple[Span, ...] | None:
        return self.inner.spans if self.transform.keeps_order else None

    @property
    def steps(self) -> tuple[str, ...]:
        return (
            *self.inner.steps,
            f"undo {self.transform}" if self.inverse else str(self.transform),
        )

    def read(self, checkpoint: Checkpoint) -> Array:
        change = self.transform.invert if self.inverse else self.transform.apply
        return change(self.inner.read(checkpoint))


@dataclass(frozen=True)
class Taken(Value):
    """A part of a value."""

    inner: Value
    part: Part

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return self.part.shape(self.inner.shape)

    @property
    def dtype(self) -> Dtype:
        return self.inner.dtype

    @property
    def sources(self) -> tuple[str, ...]:
        return self.inner.sources

    @property
    def spans(self) -> tuple[Span, ...] | None:
        inner = self.inner.spans
        outside = count_items(self.inner.shape[: self.part.axis])
        if inner is None or len(inner) != 1 or outside != 1 or self.part.groups != 1:
            return None
        begin, size = self.part.extent(self.inner.shape[self.part.axis])
        row = count_items(self.inner.shape[self.part.axis + 1 :]) * self.dtype.storage.itemsize
        name, first, _ = inner[0]
        return ((name, first + begin * row, first + (begin + size) * row),)

    @property
    def steps(self) -> tuple[str, ...]:
        return (*self.inner.steps, str(self.part))

    def read(self, checkpoint: Checkpoint) -> Array:
        return self.part.take(self.inner.read(checkpoint))


@dataclass(frozen=True)
class Joined(Value):
    """Values side by side on an axis, group by group."""

    inner: tuple[Value, ...]
    axis: int
    groups: int = 1
    sizes: tuple[int, ...] = ()
    """Relative sizes that the parts must have; empty where any will do."""

    @cached_property
    def shape(self) -> tuple[int, ...]:
        shapes = [value.shape for value in self.inner]
        first = shapes[0]
        if self.axis >= len(first):
            raise ValueError(f"{first} has no axis {self.axis} to join at")
        for shape in shapes:
            if len(shape) != len(first) or any(
                one != two
                for axis, (one, two) in enumerate(zip(shape, first, strict=True))
                if axis != self.axis
            ):
                raise ValueError(f"{first} and {shape} cannot be joined at axis {self.axis}")
            if shape[self.axis] % self.groups:
                raise ValueError(f"an axis of {shape[self.axis]} has no {self.groups} groups")
        lengths = [shape[self.axis] for shape in shapes]
        sizes = self.sizes or lengths
        if any(one * sizes[0] != lengths[0] * two for one, two in zip(lengths, sizes, strict=True)):
            raise ValueError(f"axes of {lengths} are not in the proportion {sizes}")
        return (*first[: self.axis], sum(lengths), *first[self.axis + 1 :])

    @property
    def dtype(self) -> Dtype:
        dtypes = {value.dtype.name for value in self.inner}
        if len(dtypes) > 1:
            raise ValueError(f"{' and '.join(sorted(dtypes))} cannot be joined")
        return self.inner[0].dtype

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for value in self.inner for name in value.sources))

    @property
    def spans(self) -> tuple[Span, ...] | None:
        if self.groups != 1 or count_items(self.inner[0].shape[: self.axis]) != 1:
            return None
        found: list[Span] = []
        for value in self.inner:
            spans = value.spans
            if spans is None:
                return None
            found.extend(spans)
        return tuple(found)

    @property
    def steps(self) -> tuple[str, ...]:
        inner = dict.fromkeys(step for value in self.inner for step in value.steps)
        groups = "" if self.groups == 1 else f" in {self.groups} groups"
        return (*inner, f"{len(self.inner)} joined at axis {self.axis}{groups}")

    def read(self, checkpoint: Checkpoint) -> Array:
        result = np.empty(self.shape, self.dtype.storage)
        grouped = _grouped(result, self.axis, self.groups)
        position = 0
        for value in self.inner:
            piece = _grouped(value.read(checkpoint), self.axis, self.groups)
            grouped[:, :, position : position + piece.shape[2]] = piece
            position += piece.shape[2]
            del piece  # or two of them would be in memory
        return result


def _grouped(value: Array, axis: int, groups: int) -> Array:
    """Return a view with the axes outside, group, inside of a group, and the rest as one."""
    outside = count_items(value.shape[:axis])
    rest = count_items(value.shape[axis + 1 :])
    return value.reshape(outside, groups, value.shape[axis] // groups, rest)


def undo(made: Iterable[tuple[Value, Value]]) -> dict[str, Value]:
    """Return what each tensor of a checkpoint was, from what was made of it.

    A pair holds the tree by which a value was made, and where that value is found now. Raises
    ValueError where a part of a tensor is not there, or there twice.
    """
    found: dict[str, Value] = {}
    parts: dict[Value, dict[int, tuple[Part, Value]]] = {}
    waiting = list(made)
    while waiting:
        tree, given = waiting.pop()
        if isinstance(tree, Source):
            found.setdefault(tree.info.name, given)
        elif isinstance(tree, Transformed):
            waiting.append((tree.inner, Transformed(given, tree.transform, not tree.inverse)))
        elif isinstance(tree, Joined):
            sizes = tree.sizes or tuple(
                inner.shape[tree.axis] // tree.groups for inner in tree.inner
            )
            for index, inner in enumerate(tree.inner):
                waiting.append((inner, Taken(given, Part(tree.axis, index, sizes, tree.groups))))
        elif isinstance(tree, Taken):
            held = parts.setdefault(tree.inner, {})
            held.setdefault(tree.part.index, (tree.part, given))
            if len(held) == len(tree.part.sizes):
                pieces = tuple(held[index][1] for index in range(len(held)))
                part = tree.part
                joined = Joined(pieces, part.axis, part.groups, part.sizes)
                del parts[tree.inner]
                waiting.append((tree.inner, joined))
    for inner, held in parts.items():
        part, _ = next(iter(held.values()))
        missing = sorted(set(range(len(part.sizes))) - set(held))
        names = " and ".join(inner.sources)
        raise ValueError(f"{names} lacks part {missing[0] + 1} of {len(part.sizes)}")
    return found
