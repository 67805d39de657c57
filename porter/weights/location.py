"""Find files and read ranges of them, on this machine or in any store that fsspec knows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, Protocol

from porter.types import PorterError, Position

TEXT_LIMIT = 256 << 20
CHUNK = 1 << 18
"""Bytes that are in memory at a time where a tensor is copied. A multiple of every item size.

They stay in the cache of a core: with 1 MB, copying takes a third more processor time.
"""
REMOTE_CHUNK = 16 << 20
"""The same for a store, where each request costs some milliseconds."""


class Location(Protocol):
    """A file or folder that may hold a checkpoint, and ranges of its bytes."""

    @property
    def name(self) -> str:
        """The last part of the path."""

    def __str__(self) -> str:
        """Return the path or URL."""

    def kind(self) -> str:
        """Return `file`, `folder` or `missing`; raises OSError."""

    def files(self) -> list[str]:
        """Return the names of the files in this folder, sorted; raises OSError."""

    def join(self, name: str) -> Location:
        """Return what lies at the relative path `name` in this folder."""

    def parent(self) -> Location:
        """Return the folder that this lies in."""

    def size(self) -> int:
        """Return the size of the file in bytes; raises OSError."""

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Fill `buffer` from `offset` on, return how many bytes there were; raises OSError."""

    def stream(self, offset: int, size: int) -> Iterator[memoryview]:
        """Yield `size` bytes from `offset` on, and end early where the file does; raises OSError.

        Each view is gone with the next. All but the last are as long as a multiple of every item
        size, and none is shorter than it was to be.
        """

    def stamp(self) -> str:
        """Return what changes when the file does: size and time; raises OSError."""


class LocalLocation:
    """A path on this machine; the file is open only while it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name

    def __str__(self) -> str:
        return str(self.path)

    def kind(self) -> str:
        if self.path.is_dir():
            return "folder"
        return "file" if self.path.exists() else "missing"

    def files(self) -> list[str]:
        return sorted(item.name for item in self.path.iterdir() if item.is_file())

    def join(self, name: str) -> LocalLocation:
        return LocalLocation(self.path / name)

    def parent(self) -> LocalLocation:
        return LocalLocation(self.path.parent)

    def size(self) -> int:
        return self.path.stat().st_size

    def read_into(self, offset: int, buffer: memoryview) -> int:
        with self.path.open("rb", buffering=0) as file:
            file.seek(offset)
            return _fill(file, buffer)

    def stream(self, offset: int, size: int) -> Iterator[memoryview]:
        buffer = memoryview(bytearray(min(CHUNK, size)))
        with self.path.open("rb", buffering=0) as file:
            file.seek(offset)
            for done in range(0, size, CHUNK):
                view = buffer[: size - done]
                if _fill(file, view) < len(view):
                    return
                yield view

    def stamp(self) -> str:
        status = self.path.stat()
        return f"{status.st_size} {status.st_mtime_ns}"


class RemoteLocation:
    """A URL that fsspec opens: s3, http, hf, memory and others."""

    def __init__(self, filesystem: Any, path: str, protocol: str) -> None:
        self._filesystem = filesystem
        self._path = path.rstrip("/")
        self._protocol = protocol
        self.name = self._path.rpartition("/")[2]

    def __str__(self) -> str:
        text: str = self._filesystem.unstrip_protocol(self._path)
        return text

    def kind(self) -> str:
        if not self._filesystem.exists(self._path):
            return "missing"
        return "folder" if self._filesystem.isdir(self._path) else "file"

    def files(self) -> list[str]:
        found = self._filesystem.ls(self._path, detail=True)
        return sorted(item["name"].rpartition("/")[2] for item in found if item["type"] == "file")

    def join(self, name: str) -> RemoteLocation:
        return RemoteLocation(self._filesystem, f"{self._path}/{name}", self._protocol)

    def parent(self) -> RemoteLocation:
        return RemoteLocation(
            self._filesystem, self._path.rpartition("/")[0] or "/", self._protocol
        )

    def size(self) -> int:
        size = self._filesystem.size(self._path)
        if size is None:
            raise OSError("the server does not tell its size")
        return int(size)

    def read_into(self, offset: int, buffer: memoryview) -> int:
        if not len(buffer):
            return 0
        # The Hub's reads 5 MB more than it is asked for, to have them for a next read.
        options = {"cache_type": "none"} if self._protocol == "hf" else {}
        end = offset + len(buffer)
        data = self._filesystem.cat_file(self._path, start=offset, end=end, **options)
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        return count

    def stream(self, offset: int, size: int) -> Iterator[memoryview]:
        buffer = memoryview(bytearray(min(REMOTE_CHUNK, size)))
        for done in range(0, size, REMOTE_CHUNK):
            view = buffer[: size - done]
            if self.read_into(offset + done, view) < len(view):
                return
            yield view

    def stamp(self) -> str:
        details = self._filesystem.info(self._path)
        times = [
            str(details[key]) for key in ("ETag", "etag", "mtime", "created") if key in details
        ]
        return " ".join([str(details.get("size")), *times[:1]])


def locate(place: Path | str | Location) -> Location:
    """Return the location of a path, or of a URL such as s3://bucket/model.safetensors.

    Raises PorterError: PRT507 where fsspec, or what it needs for the protocol, is not installed.
    """
    if isinstance(place, Path):
        return LocalLocation(place)
    if not isinstance(place, str):
        return place
    protocol, separator, _ = place.partition("://")
    if not separator:
        return LocalLocation(Path(place))
    try:
        from fsspec.core import url_to_fs

        filesystem, path = url_to_fs(place)
    except ImportError as error:
        fail(
            place, f"{protocol} needs a package: {error}", 'pip install "porter-mindspore[remote]"'
        )
    except Exception as error:  # each file system raises its own kinds for a bad URL
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise unreadable(place, reason) from error
    return RemoteLocation(filesystem, path, protocol)


class LocationReader(io.RawIOBase):
    """A location as a file object, for the standard library's readers of archives and pickles."""

    def __init__(self, location: Location, size: int, begin: int = 0) -> None:
        self._location = location
        self._size = size
        self._position = begin

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        view = view[: max(0, min(len(view), self._size - self._position))]
        count = self._location.read_into(self._position, view) if len(view) else 0
        self._position += count
        return count

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise OSError(22, "Invalid argument")
        self._position = start + offset
        return self._position

    def tell(self) -> int:
        return self._position


def read_bytes(location: Location, limit: int = TEXT_LIMIT) -> bytes:
    """Return a small file whole; raises PorterError (PRT507) where it cannot be read, or is not."""
    try:
        size = location.size()
        if size > limit:
            fail(location, f"it has {size:,} bytes, where {limit:,} are expected at most")
        buffer = bytearray(size)
        count = location.read_into(0, memoryview(buffer))
    except PorterError:
        raise
    except Exception as error:  # fsspec passes on whatever its backends raise
        raise unreadable(location, reason_of(error)) from error
    return bytes(buffer[:count])


def reason_of(error: Exception) -> str:
    """Return one line for a failure to read."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def printable(text: str) -> str:
    """Return a text that may hold names of a checkpoint as one line that no terminal obeys."""
    line = " ".join(text.split())
    return "".join(part if part.isprintable() else ascii(part)[1:-1] for part in line)


def fail(place: Location | Path | str, reason: str, hint: str | None = None) -> NoReturn:
    """Raise PorterError (PRT507): the checkpoint at `place` cannot be read."""
    raise unreadable(place, reason, hint)


def unreadable(place: Location | Path | str, reason: str, hint: str | None = None) -> PorterError:
    """Return the error for a checkpoint that cannot be read."""
    return PorterError(
        "PRT507",
        f"unreadable checkpoint: {printable(reason)}",
        hint=hint,
        position=Position(str(place)),
    )


def _fill(file: Any, buffer: memoryview) -> int:
    """Read until the buffer is full or the file ends; one read gives 2 GiB at most."""
    done = 0
    while done < len(buffer):
        count = file.readinto(buffer[done:])
        if not count:
            break
        done += count
    return done
