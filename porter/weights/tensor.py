"""Describe the tensors of an opened checkpoint, and read them whole or in small pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NoReturn, Protocol

import numpy as np

from porter.types import PorterError
from porter.weights.dtypes import Array, Dtype
from porter.weights.location import CHUNK, Location, fail, reason_of, unreadable


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One tensor of a checkpoint: its name there, its shape and its dtype.

    `direct` tells whether its bytes lie in the file as they are in memory.
    """

    name: str
    shape: tuple[int, ...]
    dtype: Dtype
    direct: bool = field(default=True, compare=False)

    @property
    def size(self) -> int:
        """Bytes of its values."""
        return count_items(self.shape) * self.dtype.storage.itemsize


def count_items(shape: tuple[int, ...]) -> int:
    """Return the product of the sizes, exact for any size."""
    total = 1
    for size in shape:
        total *= size
    return total


class Checkpoint(Protocol):
    """Named tensors that are loaded one at a time."""

    @property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """Every tensor by its name, in the order of the checkpoint."""

    def read(self, name: str) -> Array:
        """Return one tensor, C-contiguous, bfloat16 as uint16 bits; raises PRT507, KeyError."""

    def stream(self, name: str, begin: int, end: int) -> Iterator[memoryview]:
        """Yield the bytes `begin` to `end` of one tensor; each view is gone with the next."""

    def files(self) -> list[Location]:
        """Return every file that the tensors lie in."""


@dataclass(frozen=True, slots=True)
class Strided:
    """How a tensor lies in its storage: offset and strides in items, and torch's lazy bits."""

    offset: int
    strides: tuple[int, ...]
    negative: bool = False
    conjugate: bool = False


@dataclass(frozen=True, slots=True)
class Located:
    """A tensor and the regions (offset, size) of the file whose bytes, joined, hold its values.

    With `strided` the one region is the whole storage, of which the tensor is a view.
    """

    info: TensorInfo
    regions: tuple[tuple[int, int], ...]
    strided: Strided | None = None


class FileCheckpoint:
    """The tensors of one file, by the places that its reader has found and checked."""

    def __init__(self, location: Location, located: Mapping[str, Located]) -> None:
        self.location = location
        self._located = located
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(
            {name: item.info for name, item in located.items()}
        )

    def read(self, name: str) -> Array:
        """Return one tensor, C-contiguous, bfloat16 as uint16 bits; raises PRT507, KeyError."""
        item = self._located[name]
        info = item.info
        if item.strided is not None:
            return self._view(name, item, item.strided)
        value = np.empty(info.shape, info.dtype.storage)
        # reshape makes the rank at least 1; a view of rank 0 cannot be cast to bytes.
        flat = value.reshape(-1).view(np.uint8).data if info.size else memoryview(b"")
        done = 0
        for offset, size in item.regions:
            self._read_into(name, offset, flat[done : done + size])
            done += size
        return value

    def stream(self, name: str, begin: int, end: int) -> Iterator[memoryview]:
        """Yield the bytes `begin` to `end` of one tensor; each view is gone with the next."""
        item = self._located[name]
        if item.strided is not None:
            value = self.read(name).reshape(-1).view(np.uint8).data
            for start in range(begin, end, CHUNK):
                yield value[start : min(start + CHUNK, end)]
            return
        position = 0
        for offset, size in item.regions:
            first, last = max(begin, position), min(end, position + size)
            if first < last:
                yield from self._stream(name, offset + first - position, last - first)
            position += size

    def files(self) -> list[Location]:
        """Return the file."""
        return [self.location]

    def _view(self, name: str, item: Located, strided: Strided) -> Array:
        """Read the part of the storage that the view reaches, and make the view contiguous."""
        info = item.info
        if not info.size:
            return np.empty(info.shape, info.dtype.storage)
        width = info.dtype.storage.itemsize
        pairs = list(zip(info.shape, strided.strides, strict=True))
        last = strided.offset + sum((size - 1) * stride for size, stride in pairs)
        storage = np.empty(last + 1 - strided.offset, info.dtype.storage)
        begin = item.regions[0][0] + strided.offset * width
        self._read_into(name, begin, storage.view(np.uint8).data)
        view = np.lib.stride_tricks.as_strided(
            storage, info.shape, tuple(stride * width for stride in strided.strides)
        )
        if strided.conjugate:
            view = np.conj(view)
        if strided.negative:
            view = np.negative(view)
        # ascontiguousarray would give a scalar the rank 1.
        return np.array(view, order="C", copy=True)

    def _stream(self, name: str, offset: int, size: int) -> Iterator[memoryview]:
        views = self.location.stream(offset, size)
        while size:
            try:
                view = next(views, memoryview(b""))
            except PorterError:
                raise
            except Exception as error:  # fsspec passes on whatever its backends raise
                raise unreadable(self.location, reason_of(error)) from error
            if not len(view):
                self._refuse_end(name)
            size -= len(view)
            yield view

    def _read_into(self, name: str, offset: int, buffer: memoryview) -> None:
        try:
            count = self.location.read_into(offset, buffer)
        except PorterError:
            raise
        except Exception as error:  # fsspec passes on whatever its backends raise
            raise unreadable(self.location, reason_of(error)) from error
        if count != len(buffer):
            self._refuse_end(name)

    def _refuse_end(self, name: str) -> NoReturn:
        fail(self.location, f"it became shorter while tensor {name!r} was read")
