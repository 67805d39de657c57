"""Read a .safetensors file tensor by tensor, after checking every claim of its header."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from porter.types import PorterError
from porter.weights.dtypes import BY_SAFETENSORS
from porter.weights.location import Location, fail, reason_of, unreadable
from porter.weights.tensor import FileCheckpoint, Located, TensorInfo

HEADER_LIMIT = 100_000_000


def open_safetensors(location: Location) -> FileCheckpoint:
    """Read the header; raises PorterError (PRT507) where the file is not what it claims to be."""
    return FileCheckpoint(location, _Header(location).located)


class _Header:
    def __init__(self, location: Location) -> None:
        self.location = location
        size, header = self._read()
        begin = 8 + len(header)
        self.located: dict[str, Located] = {}
        for name, item in self._parse(header).items():
            if name != "__metadata__":
                self.located[name] = self._describe(name, item, begin)
        self._check_tiling(begin, size)

    def _read(self) -> tuple[int, bytes]:
        try:
            size = self.location.size()
            start = bytearray(8)
            count = self.location.read_into(0, memoryview(start))
            length = int.from_bytes(start, "little")
            if count < 8 or not 0 < length <= min(size - 8, HEADER_LIMIT):
                self._fail("it is truncated, or no safetensors file")
            header = bytearray(length)
            if self.location.read_into(8, memoryview(header)) != length:
                self._fail("it became shorter while its header was read")
        except PorterError:
            raise
        except Exception as error:  # fsspec passes on whatever its backends raise
            raise unreadable(self.location, reason_of(error)) from error
        return size, bytes(header)

    def _parse(self, header: bytes) -> dict[str, Any]:
        try:
            parsed = json.loads(header.decode("utf-8"), object_pairs_hook=self._unique)
        except (ValueError, RecursionError) as error:
            self._fail(f"its header is no JSON: {error}")
        if not isinstance(parsed, dict):
            self._fail("its header is no JSON object")
        return parsed

    def _unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            self._fail("its header names a tensor twice")
        return found

    def _describe(self, name: str, item: Any, begin: int) -> Located:
        if not isinstance(item, dict):
            self._fail(f"its header does not describe tensor {name!r}")
        dtype = BY_SAFETENSORS.get(str(item.get("dtype")))
        if dtype is None:
            self._fail(f"tensor {name!r} is {item.get('dtype')!r:.80}, which MindSpore cannot load")
        shape, offsets = _sizes(item.get("shape")), _sizes(item.get("data_offsets"))
        if shape is None or offsets is None or len(offsets) != 2:
            self._fail(f"its header does not describe tensor {name!r}")
        first, last = offsets
        info = TensorInfo(name, shape, dtype)
        if last - first != info.size or len(shape) > 32:
            self._fail(f"its header gives tensor {name!r} a shape that does not fit its data")
        return Located(info, ((begin + first, last - first),))

    def _check_tiling(self, begin: int, size: int) -> None:
        """Refuse overlaps and holes: the tensors must fill the data exactly."""
        position = begin
        for offset, length in sorted(item.regions[0] for item in self.located.values()):
            if offset != position:
                self._fail("the tensors overlap or leave holes")
            position = offset + length
        if position != size:
            held, claimed = size - begin, position - begin
            self._fail(f"it holds {held} bytes of data where its header claims {claimed}")

    def _fail(self, reason: str) -> NoReturn:
        fail(self.location, reason)


def _sizes(value: Any) -> tuple[int, ...] | None:
    """Return a JSON list of sizes as a tuple, None for anything else; true is no size."""
    if isinstance(value, list) and all(type(item) is int and 0 <= item < 1 << 63 for item in value):
        return tuple(value)
    return None
