"""Read a .safetensors file tensor by tensor, after checking every claim of its header."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from porter.types import PorterError, Position
from porter.weights.dtypes import BY_SAFETENSORS, Array
from porter.weights.tensor import TensorInfo

HEADER_LIMIT = 100_000_000


class SafetensorsFile:
    """The tensors of one file; only the header is in memory until a tensor is read."""

    def __init__(self, path: Path) -> None:
        """Open `path`; raises PorterError (PRT507) where the file is not what it claims to be."""
        self.path = path
        try:
            with path.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(0)
                length = int.from_bytes(file.read(8), "little")
                if size < 8 or not 0 < length <= min(size - 8, HEADER_LIMIT):
                    self._fail("it is truncated, or no safetensors file")
                header = file.read(length)
        except OSError as error:
            self._fail(error.strerror or str(error))
        self._begin = 8 + length
        self._offsets: dict[str, tuple[int, int]] = {}
        tensors = {
            name: self._describe(name, item)
            for name, item in self._parse(header).items()
            if name != "__metadata__"
        }
        self._check_tiling(size - self._begin)
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(tensors)

    def read(self, name: str) -> Array:
        """Return one tensor, bfloat16 as uint16 bits; raises PorterError (PRT507), KeyError."""
        info = self.tensors[name]
        begin, end = self._offsets[name]
        value = np.empty(info.shape, info.dtype.storage)
        try:
            with self.path.open("rb") as file:
                file.seek(self._begin + begin)
                # reshape makes the rank at least 1; a view of rank 0 cannot be cast to bytes.
                count = file.readinto(value.reshape(-1).view(np.uint8).data) if end > begin else 0
        except OSError as error:
            self._fail(error.strerror or str(error))
        if count != end - begin:
            self._fail(f"it became shorter while tensor {name!r} was read")
        return value

    def close(self) -> None:
        """Release nothing: the file is open only while a tensor is read."""

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

    def _describe(self, name: str, item: Any) -> TensorInfo:
        if not isinstance(item, dict):
            self._fail(f"its header does not describe tensor {name!r}")
        dtype = BY_SAFETENSORS.get(str(item.get("dtype")))
        if dtype is None:
            self._fail(f"tensor {name!r} is {item.get('dtype')}, which MindSpore cannot load")
        shape, offsets = _sizes(item.get("shape")), _sizes(item.get("data_offsets"))
        if shape is None or offsets is None or len(offsets) != 2:
            self._fail(f"its header does not describe tensor {name!r}")
        begin, end = offsets
        if end - begin != math.prod(shape) * dtype.storage.itemsize:
            self._fail(f"its header gives tensor {name!r} a shape that does not fit its data")
        self._offsets[name] = (begin, end)
        return TensorInfo(name, shape, dtype)

    def _check_tiling(self, size: int) -> None:
        """Refuse overlaps and holes: the tensors must fill the data exactly."""
        position = 0
        for begin, end in sorted(self._offsets.values()):
            if begin != position:
                self._fail("the tensors overlap or leave holes")
            position = end
        if position != size:
            self._fail(f"it holds {size} bytes of data where its header claims {position}")

    def _fail(self, reason: str) -> NoReturn:
        raise PorterError(
            "PRT507", f"unreadable checkpoint: {reason}", position=Position(str(self.path))
        )


def _sizes(value: Any) -> tuple[int, ...] | None:
    """Return a JSON list of sizes as a tuple, None for anything else; true is no size."""
    if isinstance(value, list) and all(type(item) is int and item >= 0 for item in value):
        return tuple(value)
    return None
