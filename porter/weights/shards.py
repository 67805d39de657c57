"""Divide the tensors to write into files, write one file, and compare it with its source."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.types import PorterError, Position
from porter.weights.dtypes import CastReport
from porter.weights.formats import OutputTensor, Slice, layout
from porter.weights.location import LocalLocation
from porter.weights.produce import Producer, compare
from porter.weights.read_ckpt import open_ckpt
from porter.weights.read_safetensors import open_safetensors

Advance = Callable[[int], None]
STEP = 64 << 20
"""Bytes after which the disk is told to take in what was written."""


@dataclass(frozen=True)
class Shard:
    """One file to write: its name and its tensors."""

    file: str
    tensors: tuple[OutputTensor, ...]
    origin: str = "ms"

    @property
    def size(self) -> int:
        """Bytes of its tensors."""
        return sum(tensor.size for tensor in self.tensors)


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written: its size, its checksum if one was taken, and what casts lost."""

    file: str
    size: int
    sha256: str | None
    casts: dict[str, CastReport] = field(default_factory=dict)
    verified: bool = False


def divide(
    tensors: Sequence[OutputTensor], stem: str, suffix: str, limit: int | None, origin: str = "ms"
) -> list[Shard]:
    """Return the files: one, or as many as needed so that none but single tensors exceeds `limit`.

    The tensors stay in their order, and shards are numbered as save_pretrained does.
    """
    groups: list[list[OutputTensor]] = [[]]
    size = 0
    for tensor in tensors:
        if limit is not None and groups[-1] and size + tensor.size > limit:
            groups.append([])
            size = 0
        groups[-1].append(tensor)
        size += tensor.size
    if len(groups) == 1:
        return [Shard(f"{stem}{suffix}", tuple(groups[0]), origin)]
    return [
        Shard(f"{stem}-{number:05}-of-{len(groups):05}{suffix}", tuple(group), origin)
        for number, group in enumerate(groups, 1)
    ]


def index_text(shards: Sequence[Shard]) -> str:
    """Return the index of several shards, as save_pretrained writes it."""
    places = {tensor.name: shard.file for shard in shards for tensor in shard.tensors}
    document: dict[str, Any] = {
        "metadata": {"total_size": sum(shard.size for shard in shards)},
        "weight_map": dict(sorted(places.items())),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def write_shard(path: Path, shard: Shard, producer: Producer, advance: Advance) -> Written:
    """Write one file to `path`, which must not exist.

    Raises OSError, and PorterError (PRT507) for the source.
    """
    size = 0
    with path.open("xb", buffering=0) as file, ThreadPoolExecutor(1) as disk:
        synced: Future[None] | None = None
        for data in _pieces(path, shard, producer):
            _write_all(file, data)
            if size // STEP < (size + len(data)) // STEP and (synced is None or synced.done()):
                # Left to itself, the disk would begin when all is written.
                if synced is not None:
                    synced.result()
                synced = disk.submit(os.fsync, file.fileno())
            size += len(data)
            advance(len(data))
        if synced is not None:
            synced.result()
        os.fsync(file.fileno())
    casts = {
        tensor.name: producer.casts[tensor.name]
        for tensor in shard.tensors
        if tensor.name in producer.casts
    }
    return Written(shard.file, size, None, casts)


def _pieces(path: Path, shard: Shard, producer: Producer) -> Iterator[memoryview]:
    """Yield the bytes of the file in order. The slices of a tensor share one stream."""
    streams: dict[str, _Stream] = {}
    for piece in layout(path.suffix, shard.tensors, shard.origin):
        if isinstance(piece, bytes):
            yield memoryview(piece)
            continue
        name = piece.tensor.name
        if piece.begin == 0:
            streams = {name: _Stream(producer.stream(piece.tensor, measure=True))}
        yield from streams[name].take(piece)
        if piece.end == piece.tensor.size:
            streams[name].finish(piece.tensor)


class _Stream:
    """Cut the views of a stream at the ends of slices."""

    def __init__(self, views: Iterator[memoryview]) -> None:
        self._views = views
        self._rest = memoryview(b"")

    def take(self, piece: Slice) -> Iterator[memoryview]:
        wanted = piece.end - piece.begin
        while wanted:
            if not len(self._rest):
                following = next(self._views, None)
                if following is None:
                    raise PorterError("PRT904", "a tensor has fewer bytes than its shape")
                self._rest = following
            view, self._rest = self._rest[:wanted], self._rest[wanted:]
            wanted -= len(view)
            yield view

    def finish(self, tensor: OutputTensor) -> None:
        """Let the stream end, which notes what its cast lost."""
        if len(self._rest) or next(self._views, None) is not None:
            raise PorterError("PRT904", f"tensor {tensor.name} has more bytes than its shape")


def verify_shard(path: Path, shard: Shard, producer: Producer, advance: Advance) -> None:
    """Read the file and compare every tensor with its source, made once more.

    Raises PorterError (PRT509) at the first difference in names, shape, dtype or bits.
    """
    try:
        read = open_ckpt if path.suffix == ".ckpt" else open_safetensors
        opened = read(LocalLocation(path))
    except PorterError as error:
        raise differs(path, error.message) from error
    if set(opened.tensors) != {tensor.name for tensor in shard.tensors}:
        raise differs(path, "it holds other names than were written")
    for tensor in shard.tensors:
        info = opened.tensors[tensor.name]
        if (info.dtype, info.shape) != (tensor.dtype, tensor.shape):
            found = f"{info.dtype.name} {info.shape}"
            wanted = f"{tensor.dtype.name} {tensor.shape}"
            raise differs(path, f"tensor {tensor.name} is {found}, written as {wanted}")
        written = opened.stream(tensor.name, 0, tensor.size)
        for size, same in compare(producer.stream(tensor), written):
            if not same:
                raise differs(path, f"tensor {tensor.name} has other values than were written")
            advance(size)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def differs(path: Path, reason: str) -> PorterError:
    """Return the error for a file that does not hold what was written."""
    return PorterError(
        "PRT509", f"the written file reads back differently: {reason}", position=Position(str(path))
    )


def _write_all(file: Any, data: memoryview) -> None:
    """Write a view as a whole; an unbuffered file may take a part of it."""
    while len(data):
        data = data[file.write(data) :]
