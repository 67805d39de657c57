"""Write a checkpoint aside, tensor by tensor, read it back bit by bit, and only then name it."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from porter.types import PorterError, Position
from porter.weights.dtypes import Array, Dtype, same_bits
from porter.weights.names import read_tensor
from porter.weights.progress import progress
from porter.weights.read_safetensors import SafetensorsFile

OUTPUT_SUFFIXES = (".ckpt", ".safetensors")
# A protobuf message must stay below 2 GiB; MindSpore joins neighbouring records of one name.
CHUNK = 1 << 29

Produce = Callable[[str], Array]


@dataclass(frozen=True, slots=True)
class OutputTensor:
    """A tensor to write."""

    name: str
    shape: tuple[int, ...]
    dtype: Dtype

    @property
    def size(self) -> int:
        """Bytes."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.storage.itemsize


def check_output(path: Path, suffixes: Sequence[str], source: Path) -> None:
    """Raise PorterError (PRT405) where `path` cannot be the output of converting `source`."""
    if path.exists() and path.resolve() == source.resolve():
        raise _not_writable(path, "it is the checkpoint itself")
    if path.suffix not in suffixes:
        raise _not_writable(path, f"the name must end in {' or '.join(suffixes)}")
    if path.is_dir():
        raise _not_writable(path, "it is a folder")
    if not path.parent.is_dir():
        raise _not_writable(path, "its folder does not exist")


@contextmanager
def written_aside(output: Path) -> Iterator[Path]:
    """Yield a path beside `output`; afterwards it becomes `output`, or vanishes after an error.

    Raises PorterError (PRT405) where the disk refuses.
    """
    # The suffix stays last: mindspore.load_checkpoint refuses any other name.
    aside = output.with_name(f".{output.stem}.{secrets.token_hex(4)}{output.suffix}")
    try:
        yield aside
        aside.replace(output)
        _sync_folder(output.parent)
    except OSError as error:
        raise _not_writable(output, error.strerror or str(error)) from error
    finally:
        aside.unlink(missing_ok=True)


def write_tensors(
    path: Path, tensors: Sequence[OutputTensor], produce: Produce, origin: str = "ms"
) -> None:
    """Write .safetensors or .ckpt, as `path` ends; `produce` gives the bits of a tensor by name.

    One tensor is in memory at a time. `origin` becomes the `format` of a safetensors header.
    Raises OSError.
    """
    total = sum(tensor.size for tensor in tensors)
    write = _write_ckpt if path.suffix == ".ckpt" else _write_safetensors
    with progress("Writing", total) as advance, path.open("xb") as file:
        for data in write(tensors, produce, origin):
            file.write(data)
            advance(len(data))
            del data  # or it would stay in memory while the next tensor is loaded
        file.flush()
        os.fsync(file.fileno())


def read_back(path: Path, tensors: Sequence[OutputTensor], produce: Produce) -> None:
    """Load `path` with mindspore.load_checkpoint and compare it with `produce` again.

    Raises PorterError (PRT509) at the first difference in names, shape, dtype or bits.
    """
    import mindspore

    try:
        loaded = mindspore.load_checkpoint(str(path), format=path.suffix[1:])
    except Exception as error:  # MindSpore raises many kinds, all meaning the same
        reason = " ".join(str(error).split())
        raise _differs(path, f"mindspore.load_checkpoint failed: {reason}") from error
    if set(loaded) != {tensor.name for tensor in tensors}:
        raise _differs(path, "it holds other names than were written")
    with progress("Comparing", sum(tensor.size for tensor in tensors)) as advance:
        for tensor in tensors:
            value, dtype = read_tensor(loaded.pop(tensor.name))
            _compare(path, tensor, value, dtype, produce(tensor.name))
            advance(tensor.size)


def read_back_safetensors(path: Path, tensors: Sequence[OutputTensor], produce: Produce) -> None:
    """Read `path` with porter's own reader and compare as `read_back` does; raises PRT509."""
    opened = SafetensorsFile(path)
    if set(opened.tensors) != {tensor.name for tensor in tensors}:
        raise _differs(path, "it holds other names than were written")
    for tensor in tensors:
        dtype = opened.tensors[tensor.name].dtype
        _compare(path, tensor, opened.read(tensor.name), dtype, produce(tensor.name))


def _write_safetensors(
    tensors: Sequence[OutputTensor], produce: Produce, origin: str
) -> Iterator[Any]:
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
        yield _bytes(produce(tensor.name))


def _write_ckpt(tensors: Sequence[OutputTensor], produce: Produce, _origin: str) -> Iterator[Any]:
    """Yield MindSpore's records: protobuf reads concatenated messages as one with all values."""
    from mindspore.train.checkpoint_pb2 import Checkpoint

    def records(tensor: OutputTensor, data: memoryview) -> Iterator[bytes]:
        for begin in range(0, max(len(data), 1), CHUNK):
            message = Checkpoint()
            record = message.value.add()
            record.tag = tensor.name
            record.tensor.dims.extend(tensor.shape)
            record.tensor.tensor_type = tensor.dtype.mindspore
            record.tensor.tensor_content = bytes(data[begin : begin + CHUNK])
            yield message.SerializeToString()

    for tensor in tensors:
        yield from records(tensor, _bytes(produce(tensor.name)))


def _bytes(value: Array) -> memoryview:
    """Return the bytes of an array without a copy; reshape, since rank 0 and size 0 cannot cast."""
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8).data


def _compare(path: Path, tensor: OutputTensor, value: Array, dtype: Dtype, expected: Array) -> None:
    if dtype != tensor.dtype or value.shape != tensor.shape or not same_bits(value, expected):
        found = f"{dtype.name} {value.shape}"
        wanted = f"{tensor.dtype.name} {tensor.shape}"
        raise _differs(path, f"tensor {tensor.name} came back as {found}, written as {wanted}")


def _differs(path: Path, reason: str) -> PorterError:
    return PorterError(
        "PRT509", f"the written file reads back differently: {reason}", position=Position(str(path))
    )


def _not_writable(path: Path, reason: str) -> PorterError:
    return PorterError("PRT405", f"cannot write the output: {reason}", position=Position(str(path)))


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power failure; Windows cannot open a folder."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
