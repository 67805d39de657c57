"""Lay out the bytes of .safetensors and .ckpt files, with the tensors' own left to be filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from porter.weights.dtypes import Dtype
from porter.weights.tensor import count_items
from porter.weights.values import Value

OUTPUT_SUFFIXES = (".ckpt", ".safetensors")
# A protobuf message must stay below 2 GiB; MindSpore joins neighbouring records of one name.
RECORD = 1 << 29


@dataclass(frozen=True)
class OutputTensor:
    """A tensor to write: the value that it is made of, and the dtype that it becomes."""

    name: str
    value: Value
    dtype: Dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return self.value.shape

    @property
    def size(self) -> int:
        """Bytes."""
        return count_items(self.shape) * self.dtype.storage.itemsize


@dataclass(frozen=True, slots=True)
class Slice:
    """Bytes of a tensor that stand at this place of the file."""

    tensor: OutputTensor
    begin: int
    end: int


Piece = bytes | Slice


def layout(suffix: str, tensors: Sequence[OutputTensor], origin: str = "ms") -> Iterator[Piece]:
    """Yield the file piece by piece; `origin` becomes the `format` of a safetensors header.

    Every tensor comes in slices that follow each other from its beginning to its end.
    """
    return _ckpt(tensors) if suffix == ".ckpt" else _safetensors(tensors, origin)


def _safetensors(tensors: Sequence[OutputTensor], origin: str) -> Iterator[Piece]:
    """Yield the header, then the data: widest items first, so that every tensor is aligned."""
    ordered = sorted(tensors, key=lambda tensor: (-tensor.dtype.storage.itemsize, tensor.name))
    header: dict[str, Any] = {"__metadata__": {"format": origin}}
    position = 0
    for tensor in ordered:
        offsets = [position, position + tensor.size]
        description = {"dtype": tensor.dtype.safetensors, "shape": list(tensor.shape)}
        header[tensor.name] = description | {"data_offsets": offsets}
        position = offsets[1]
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little") + text
    for tensor in ordered:
        yield Slice(tensor, 0, tensor.size)


def _ckpt(tensors: Sequence[OutputTensor]) -> Iterator[Piece]:
    """Yield MindSpore's records: protobuf reads concatenated messages as one with all values.

    The fields are spelled out here, since a message of the protobuf library would hold the tensor
    several times; porter.weights.read_ckpt says what they are.
    """
    for tensor in tensors:
        dims = b"".join(b"\x08" + _varint(size) for size in tensor.shape)
        kind = _bytes_field(2, str(tensor.dtype.mindspore).encode())
        tag = _bytes_field(1, tensor.name.encode("utf-8"))
        for begin in range(0, max(tensor.size, 1), RECORD):
            end = min(begin + RECORD, tensor.size)
            inner = dims + kind + b"\x1a" + _varint(end - begin)
            length = len(inner) + end - begin
            value = tag + b"\x12" + _varint(length) + inner
            yield b"\x0a" + _varint(len(value) + end - begin) + value
            yield Slice(tensor, begin, end)


def _bytes_field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
