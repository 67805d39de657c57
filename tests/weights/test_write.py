"""Test that a file is written whole or not at all, and that a wrong one is noticed."""

# mypy: allow-subclassing-any
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import safetensors.numpy
import torch
from mindspore import nn

from porter.mapping.load import Mapping as MappingTable
from porter.types import PorterError
from porter.weights import engine, formats
from porter.weights.convert import convert_weights
from porter.weights.dtypes import DTYPES, Array, Dtype
from porter.weights.formats import OutputTensor
from porter.weights.location import CHUNK, Location
from porter.weights.names import read_tensor
from porter.weights.produce import Budget, Producer, as_bytes
from porter.weights.read import open_mindspore_checkpoint
from porter.weights.report import WeightsError
from porter.weights.shards import Shard, Written, verify_shard, write_shard
from porter.weights.tensor import TensorInfo
from porter.weights.values import Source
from tests.weights.support import save

SUFFIXES = [".ckpt", ".safetensors"]


class Held:
    """A checkpoint whose tensors are in memory."""

    def __init__(self, held: Mapping[str, tuple[Dtype, Array]]) -> None:
        self.held = held
        self.tensors = {
            name: TensorInfo(name, value.shape, dtype) for name, (dtype, value) in held.items()
        }

    def read(self, name: str) -> Array:
        return self.held[name][1]

    def stream(self, name: str, begin: int, end: int) -> Iterator[memoryview]:
        data = as_bytes(self.held[name][1])
        for start in range(begin, end, CHUNK):
            yield data[start : min(start + CHUNK, end)]

    def files(self) -> list[Location]:
        return []


def random_tensors() -> Held:
    """Return one tensor of each dtype that MindSpore loads, in three shapes."""
    random = np.random.default_rng(3)
    found = {}
    for dtype in DTYPES.values():
        for shape in ((), (3,), (2, 1, 5)) if dtype.mindspore else ():
            count = int(np.prod(shape)) * dtype.storage.itemsize
            raw = random.integers(0, 2 if dtype.name == "bool" else 256, count, np.uint8)
            value = raw.view(dtype.storage).reshape(shape)
            found[f"{dtype.name}.{len(shape)}"] = (dtype, value)
    return Held(found)


def write(path: Path, held: Held) -> tuple[Shard, Producer]:
    tensors = tuple(
        OutputTensor(info.name, Source(info), info.dtype) for info in held.tensors.values()
    )
    shard, producer = Shard(path.name, tensors), Producer(held, Budget(0))
    written = write_shard(path, shard, producer, lambda _done: None)
    assert written.size == path.stat().st_size
    verify_shard(path, shard, producer, lambda _done: None)
    return shard, producer


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_mindspore_reads_every_dtype_bit_by_bit(folder: Path, suffix: str) -> None:
    held = random_tensors()
    path = folder / f"m{suffix}"
    write(path, held)
    loaded = ms.load_checkpoint(str(path), format=suffix[1:])
    assert set(loaded) == set(held.tensors)
    for name, (dtype, value) in held.held.items():
        found, found_dtype = read_tensor(loaded[name])
        assert (found_dtype, found.shape) == (dtype, value.shape), name
        assert found.tobytes() == value.tobytes(), name


def test_every_dtype_that_mindspore_has_is_written() -> None:
    """A MindSpore that loads 8-bit floats or complex numbers would make the table wrong."""
    from mindspore.train.serialization import tensor_to_ms_type

    assert {item.mindspore for item in DTYPES.values() if item.mindspore} == set(
        tensor_to_ms_type
    ) - {"str", "Int4"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_porter_reads_what_mindspore_writes(folder: Path, suffix: str) -> None:
    held = random_tensors()
    parameters = []
    for name, (dtype, value) in held.held.items():
        if dtype.name != "bfloat16":
            parameters.append({"name": name, "data": ms.Tensor(value)})
    path = folder / f"m{suffix}"
    ms.save_checkpoint(parameters, str(path), format=suffix[1:])
    opened = open_mindspore_checkpoint(path)
    assert set(opened.tensors) == {item["name"] for item in parameters}
    for name, info in opened.tensors.items():
        dtype, value = held.held[name]
        assert (info.dtype, info.shape) == (dtype, value.shape), name
        assert opened.read(name).tobytes() == value.tobytes(), name


def test_the_checksum_that_mindspore_appends_is_no_record(folder: Path) -> None:
    path = folder / "m.ckpt"
    ms.save_checkpoint(nn.Dense(2, 3), str(path), crc_check=True)
    assert path.read_bytes()[-17:-10] == b"crc_num"
    assert set(open_mindspore_checkpoint(path).tensors) == {"weight", "bias"}


def test_the_safetensors_library_reads_the_file(folder: Path) -> None:
    held = random_tensors()
    numbers = Held({n: v for n, v in held.held.items() if v[0].name != "bfloat16"})
    path = folder / "m.safetensors"
    write(path, numbers)
    loaded = safetensors.numpy.load_file(path)
    assert set(loaded) == set(numbers.held)
    for name, (_, value) in numbers.held.items():
        assert loaded[name].dtype == value.dtype
        assert loaded[name].shape == value.shape
        assert loaded[name].tobytes() == value.tobytes()


def test_every_tensor_is_aligned_to_its_items(folder: Path) -> None:
    held = random_tensors()
    path = folder / "m.safetensors"
    write(path, held)
    length = int.from_bytes(path.read_bytes()[:8], "little")
    header = json.loads(path.read_bytes()[8 : 8 + length])
    assert header.pop("__metadata__") == {"format": "ms"}
    assert length % 8 == 0
    for name, item in header.items():
        assert item["data_offsets"][0] % held.tensors[name].dtype.storage.itemsize == 0, name


def test_a_large_tensor_is_written_in_records_that_join(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "RECORD", 16)
    value = np.arange(15, dtype=np.float32).reshape(3, 5)
    write(folder / "m.ckpt", Held({"a": (DTYPES["float32"], value)}))
    assert np.array_equal(ms.load_checkpoint(str(folder / "m.ckpt"))["a"].asnumpy(), value)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_tensor_of_several_chunks_is_copied_and_compared(folder: Path, suffix: str) -> None:
    value = np.random.default_rng(1).integers(0, 256, 2 * CHUNK + 5, np.uint8)
    path = folder / f"m{suffix}"
    shard, producer = write(path, Held({"a": (DTYPES["uint8"], value)}))
    assert open_mindspore_checkpoint(path).read("a").tobytes() == value.tobytes()
    data = bytearray(path.read_bytes())
    data[-CHUNK] ^= 1
    path.write_bytes(data)
    with pytest.raises(PorterError, match="tensor a has other values"):
        verify_shard(path, shard, producer, lambda _done: None)


class Empty(nn.Cell):
    """Hold a Parameter without elements."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.prompt = ms.Parameter(ms.Tensor(np.zeros(shape, np.float32)))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_tensor_without_elements_is_written(
    folder: Path, mapping: MappingTable, suffix: str
) -> None:
    path = save({"prompt": torch.zeros(0, 3)}, folder / "m.pt")
    output = folder / f"out{suffix}"
    convert_weights(path, output, cell=Empty((0, 3)), mapping=mapping)
    assert ms.load_checkpoint(str(output), format=suffix[1:])["prompt"].shape == (0, 3)


def test_what_mindspore_cannot_read_back_is_refused(folder: Path, mapping: MappingTable) -> None:
    """MindSpore 2.10 reads the shape (0,) of a .ckpt file as a scalar of arbitrary value."""
    path = save({"prompt": torch.zeros(0)}, folder / "m.pt")
    with pytest.raises(WeightsError, match=r"cannot hold the shape \(0,\)") as caught:
        convert_weights(path, folder / "out.ckpt", cell=Empty((0,)), mapping=mapping)
    assert caught.value.hint == "write .safetensors instead"
    assert [item.name for item in folder.iterdir()] == ["m.pt"]
    convert_weights(path, folder / "out.safetensors", cell=Empty((0,)), mapping=mapping)
    loaded = ms.load_checkpoint(str(folder / "out.safetensors"), format="safetensors")
    assert loaded["prompt"].shape == (0,)


def convert(folder: Path, mapping: MappingTable, suffix: str) -> Path:
    path = save({"weight": torch.ones(3, 2), "bias": torch.ones(3)}, folder / "m.pt")
    convert_weights(path, folder / f"out{suffix}", cell=nn.Dense(2, 3), mapping=mapping)
    return folder / f"out{suffix}"


def damage(change: Callable[[bytearray], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the file between writing and reading back."""

    def write_badly(path: Path, *arguments: Any) -> Written:
        written = write_shard(path, *arguments)
        data = bytearray(path.read_bytes())
        change(data)
        path.write_bytes(data)
        return written

    monkeypatch.setattr(engine, "write_shard", write_badly)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_flipped_bit_is_noticed(
    folder: Path, mapping: MappingTable, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flip(data: bytearray) -> None:
        data[-1] ^= 1

    damage(flip, monkeypatch)
    with pytest.raises(PorterError, match="reads back differently: tensor") as caught:
        convert(folder, mapping, suffix)
    assert caught.value.code == "PRT509"
    assert [item.name for item in folder.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_cut_file_is_noticed(
    folder: Path, mapping: MappingTable, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(data: bytearray) -> None:
        del data[-3:]

    damage(cut, monkeypatch)
    with pytest.raises(PorterError, match="reads back differently") as caught:
        convert(folder, mapping, suffix)
    assert caught.value.code == "PRT509"
    assert "\n" not in str(caught.value)
    assert [item.name for item in folder.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_a_disk_that_refuses_leaves_the_old_file(
    folder: Path, mapping: MappingTable, suffix: str, failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / f"out{suffix}").write_bytes(b"old")

    def refuse(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(failing, refuse)
    with pytest.raises(PorterError, match="cannot write the output: No space left") as caught:
        convert(folder, mapping, suffix)
    assert caught.value.code == "PRT405"
    assert (folder / f"out{suffix}").read_bytes() == b"old"
    assert len(list(folder.iterdir())) == 2


def test_an_interruption_leaves_nothing(
    folder: Path, mapping: MappingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        convert(folder, mapping, ".ckpt")
    assert [item.name for item in folder.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_old_output_is_replaced_with_usual_permissions(
    folder: Path, mapping: MappingTable, suffix: str
) -> None:
    (folder / f"out{suffix}").write_bytes(b"old")
    (folder / "other").touch()
    path = convert(folder, mapping, suffix)
    assert path.stat().st_mode == (folder / "other").stat().st_mode
    assert ms.load_checkpoint(str(path), format=suffix[1:])["bias"].asnumpy().tolist() == [1, 1, 1]
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("out.pt", "must end in .ckpt or .safetensors"),
        ("folder.ckpt", "it is a folder"),
        ("folder", "it is no folder of converted weights"),
        ("missing/out.ckpt", "its folder does not exist"),
        ("m.safetensors", "it is the checkpoint itself"),
        ("folder.ckpt/../m.safetensors", "it is the checkpoint itself"),
    ],
)
def test_an_output_that_cannot_be_is_refused(
    folder: Path, mapping: MappingTable, output: str, reason: str
) -> None:
    (folder / "folder.ckpt").mkdir()
    (folder / "folder").mkdir()
    (folder / "folder" / "work.txt").touch()
    path = save({"weight": torch.ones(3, 2), "bias": torch.ones(3)}, folder / "m.safetensors")
    before = path.read_bytes()
    with pytest.raises(PorterError) as caught:
        convert_weights(path, folder / output, cell=nn.Dense(2, 3), mapping=mapping)
    assert (caught.value.code, reason in str(caught.value)) == ("PRT405", True)
    assert path.read_bytes() == before
