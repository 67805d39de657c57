"""Read MindSpore's .ckpt format in place: a protobuf message of named tensors.

MindSpore itself loads the whole file into memory; here only the places of the tensors are kept.
The message is `Checkpoint { repeated Value value = 1 }` with the messages `Value { tag = 1; tensor
= 2 }` and `TensorProto { dims = 1; tensor_type = 2; tensor_content = 3 }` in it. A tensor may lie
in several neighbouring records of one tag.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from porter.types import PorterError
from porter.weights.dtypes import BY_MINDSPORE
from porter.weights.location import Location, LocationReader, fail, reason_of, unreadable
from porter.weights.tensor import FileCheckpoint, Located, TensorInfo

_VARINT, _BYTES = 0, 2
_CHECKSUM = b"crc_num"
_CHECKSUM_SIZE = len(_CHECKSUM) + 10
TEXT_LIMIT = 1 << 16


@dataclass(slots=True)
class _Record:
    tag: str = ""
    kind: str = ""
    dims: list[int] = field(default_factory=list)
    content: tuple[int, int] | None = None


def open_ckpt(location: Location) -> FileCheckpoint:
    """Find every tensor of the file; raises PorterError (PRT507) where it is another message."""
    try:
        return FileCheckpoint(location, _Message(location).located())
    except PorterError:
        raise
    except Exception as error:  # fsspec passes on whatever its backends raise
        raise unreadable(location, reason_of(error)) from error


class _Message:
    def __init__(self, location: Location) -> None:
        self.location = location
        self.size = self._size_of_message(location.size())
        self.file = io.BufferedReader(LocationReader(location, self.size), 4096)

    def located(self) -> dict[str, Located]:
        found: dict[str, Located] = {}
        last = ""
        for record in self._records():
            info, content = self._describe(record)
            if record.tag not in found:
                found[record.tag] = Located(info, (content,))
            elif record.tag == last and found[record.tag].info == info:
                regions = (*found[record.tag].regions, content)
                found[record.tag] = Located(info, regions)
            else:
                self._fail(f"it names tensor {record.tag!r:.200} twice")
            last = record.tag
        for name, item in found.items():
            if sum(size for _, size in item.regions) != item.info.size:
                self._fail(f"tensor {name!r:.200} has a shape that does not fit its data")
        return found

    def _describe(self, record: _Record) -> tuple[TensorInfo, tuple[int, int]]:
        dtype = BY_MINDSPORE.get(record.kind)
        if dtype is None or record.content is None or len(record.dims) > 32:
            self._fail(f"{record.tag!r:.200} is no tensor")
        # MindSpore writes the shape [0] for a scalar.
        shape = () if record.dims == [0] and record.content[1] else tuple(record.dims)
        return TensorInfo(record.tag, shape, dtype), record.content

    def _size_of_message(self, size: int) -> int:
        """Leave out the checksum that MindSpore may write behind the message."""
        if size <= _CHECKSUM_SIZE:
            return size
        tail = bytearray(_CHECKSUM_SIZE)
        self.location.read_into(size - _CHECKSUM_SIZE, memoryview(tail))
        return size - _CHECKSUM_SIZE if tail.startswith(_CHECKSUM) else size

    def _records(self) -> Iterator[_Record]:
        while self.file.tell() < self.size:
            number, end = self._field(self.size)
            if number != 1:
                self._fail("it is no message of MindSpore's")
            record = _Record()
            while self.file.tell() < end:
                number, inner = self._field(end)
                if number == 1:
                    record.tag = self._text(inner)
                elif number == 2:
                    self._tensor(record, inner)
                else:
                    self._fail(f"{record.tag!r:.200} is no tensor")
            yield record

    def _tensor(self, record: _Record, end: int) -> None:
        while self.file.tell() < end:
            key = self._varint(end)
            if key >> 3 == 1 and key & 7 == _VARINT:
                record.dims.append(self._varint(end))
            elif key & 7 == _BYTES and key >> 3 in (1, 2, 3):
                length = self._varint(end)
                begin = self.file.tell()
                if begin + length > end:
                    self._fail("it is truncated, or no message of MindSpore's")
                if key >> 3 == 1:
                    while self.file.tell() < begin + length:
                        record.dims.append(self._varint(begin + length))
                elif key >> 3 == 2:
                    record.kind = self._text(begin + length)
                else:
                    record.content = (begin, length)
                    self.file.seek(begin + length)
            else:
                self._fail("it is no message of MindSpore's")

    def _field(self, end: int) -> tuple[int, int]:
        """Return the number of a field that holds bytes, and where these end."""
        key = self._varint(end)
        if key & 7 != _BYTES:
            self._fail("it is no message of MindSpore's")
        length = self._varint(end)
        last = self.file.tell() + length
        if last > end:
            self._fail("it is truncated, or no message of MindSpore's")
        return key >> 3, last

    def _varint(self, end: int) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.file.read(1)
            if not byte or self.file.tell() > end:
                self._fail("it is truncated, or no message of MindSpore's")
            value |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                return value
        raise unreadable(self.location, "it is no message of MindSpore's")

    def _text(self, end: int) -> str:
        length = end - self.file.tell()
        if length > TEXT_LIMIT:
            self._fail("it is no message of MindSpore's")
        try:
            return self.file.read(length).decode("utf-8")
        except UnicodeDecodeError:
            self._fail("it is no message of MindSpore's")

    def _fail(self, reason: str) -> NoReturn:
        fail(self.location, reason)
