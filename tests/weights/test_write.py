"""Test that a file is written whole or not at all, and that a wrong one is noticed."""

# mypy: allow-subclassing-any
from __future__ import annotations

import json
import os
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import safetensors.numpy
import torch
from mindspore import nn

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights import write
from porter.weights.convert import convert_weights
from porter.weights.dtypes import DTYPES, Array
from porter.weights.names import read_tensor
from porter.weights.write import OutputTensor, read_back, write_tensors
from tests.weights.support import save

SUFFIXES = [".ckpt", ".safetensors"]


def tensors() -> dict[str, tuple[OutputTensor, Array]]:
    """Return one tensor of each dtype that MindSpore holds, in three shapes."""
    random = np.random.default_rng(3)
    found = {}
    for dtype in DTYPES.values():
        for shape in ((), (3,), (2, 1, 5)):
            count = int(np.prod(shape)) * dtype.storage.itemsize
            raw = random.integers(0, 2 if dtype.name == "bool" else 256, count, np.uint8)
            name = f"{dtype.name}.{len(shape)}"
            found[name] = (OutputTensor(name, shape, dtype), raw.view(dtype.storage).reshape(shape))
    return found


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_mindspore_reads_every_dtype_bit_by_bit(folder: Path, suffix: str) -> None:
    values = tensors()
    path = folder / f"m{suffix}"
    outputs = [output for output, _ in values.values()]
    write_tensors(path, outputs, lambda name: values[name][1])
    loaded = ms.load_checkpoint(str(path), format=suffix[1:])
    assert set(loaded) == set(values)
    for name, (output, value) in values.items():
        found, dtype = read_tensor(loaded[name])
        assert (dtype, found.shape) == (output.dtype, output.shape), name
        assert found.tobytes() == value.tobytes(), name
    read_back(path, outputs, lambda name: values[name][1])


def test_the_safetensors_library_reads_the_file(folder: Path) -> None:
    values = {n: v for n, v in tensors().items() if v[0].dtype.name != "bfloat16"}
    path = folder / "m.safetensors"
    write_tensors(path, [output for output, _ in values.values()], lambda name: values[name][1])
    loaded = safetensors.numpy.load_file(path)
    assert set(loaded) == set(values)
    for name, (_, value) in values.items():
        assert loaded[name].dtype == value.dtype
        assert loaded[name].shape == value.shape
        assert loaded[name].tobytes() == value.tobytes()


def test_every_tensor_is_aligned_to_its_items(folder: Path) -> None:
    values = tensors()
    path = folder / "m.safetensors"
    write_tensors(path, [output for output, _ in values.values()], lambda name: values[name][1])
    length = int.from_bytes(path.read_bytes()[:8], "little")
    header = json.loads(path.read_bytes()[8 : 8 + length])
    assert header.pop("__metadata__") == {"format": "ms"}
    assert length % 8 == 0
    for name, item in header.items():
        assert item["data_offsets"][0] % values[name][0].dtype.storage.itemsize == 0, name


def test_a_large_tensor_is_written_in_records_that_join(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "CHUNK", 16)
    value = np.arange(15, dtype=np.float32).reshape(3, 5)
    output = OutputTensor("a", (3, 5), DTYPES["float32"])
    write_tensors(folder / "m.ckpt", [output], lambda _name: value)
    assert np.array_equal(ms.load_checkpoint(str(folder / "m.ckpt"))["a"].asnumpy(), value)


class Empty(nn.Cell):
    """Hold a Parameter without elements."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.prompt = ms.Parameter(ms.Tensor(np.zeros(shape, np.float32)))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_tensor_without_elements_is_written(folder: Path, mapping: Mapping, suffix: str) -> None:
    path = save({"prompt": torch.zeros(0, 3)}, folder / "m.pt")
    output = folder / f"out{suffix}"
    convert_weights(path, output, cell=Empty((0, 3)), mapping=mapping)
    assert ms.load_checkpoint(str(output), format=suffix[1:])["prompt"].shape == (0, 3)


def test_what_mindspore_cannot_read_back_is_refused(folder: Path, mapping: Mapping) -> None:
    """MindSpore 2.10 reads the shape (0,) of a .ckpt file as a scalar of arbitrary value."""
    path = save({"prompt": torch.zeros(0)}, folder / "m.pt")
    with pytest.raises(PorterError, match=r"float32 \(\), written as float32 \(0,\)") as caught:
        convert_weights(path, folder / "out.ckpt", cell=Empty((0,)), mapping=mapping)
    assert caught.value.code == "PRT509"
    assert [item.name for item in folder.iterdir()] == ["m.pt"]
    convert_weights(path, folder / "out.safetensors", cell=Empty((0,)), mapping=mapping)


def convert(folder: Path, mapping: Mapping, suffix: str) -> Path:
    path = save({"weight": torch.ones(3, 2), "bias": torch.ones(3)}, folder / "m.pt")
    convert_weights(path, folder / f"out{suffix}", cell=nn.Dense(2, 3), mapping=mapping)
    return folder / f"out{suffix}"


def damage(change: Callable[[bytearray], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the file between writing and reading back."""

    def write_badly(path: Path, *arguments: Any, **options: Any) -> None:
        write_tensors(path, *arguments, **options)
        data = bytearray(path.read_bytes())
        change(data)
        path.write_bytes(data)

    monkeypatch.setattr("porter.weights.convert.write_tensors", write_badly)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_flipped_bit_is_noticed(
    folder: Path, mapping: Mapping, suffix: str, monkeypatch: pytest.MonkeyPatch
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
    folder: Path, mapping: Mapping, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(data: bytearray) -> None:
        del data[-3:]

    damage(cut, monkeypatch)
    with pytest.raises(PorterError, match=r"mindspore\.load_checkpoint failed") as caught:
        convert(folder, mapping, suffix)
    assert caught.value.code == "PRT509"
    assert "\n" not in str(caught.value)
    assert [item.name for item in folder.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_a_disk_that_refuses_leaves_the_old_file(
    folder: Path, mapping: Mapping, suffix: str, failing: str, monkeypatch: pytest.MonkeyPatch
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
    folder: Path, mapping: Mapping, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        convert(folder, mapping, ".ckpt")
    assert [item.name for item in folder.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_old_output_is_replaced_with_usual_permissions(
    folder: Path, mapping: Mapping, suffix: str
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
        ("out", "must end in .ckpt or .safetensors"),
        ("folder.ckpt", "it is a folder"),
        ("missing/out.ckpt", "its folder does not exist"),
        ("m.safetensors", "it is the checkpoint itself"),
        ("folder.ckpt/../m.safetensors", "it is the checkpoint itself"),
    ],
)
def test_an_output_that_cannot_be_is_refused(
    folder: Path, mapping: Mapping, output: str, reason: str
) -> None:
    (folder / "folder.ckpt").mkdir()
    path = save({"weight": torch.ones(3, 2), "bias": torch.ones(3)}, folder / "m.safetensors")
    before = path.read_bytes()
    with pytest.raises(PorterError) as caught:
        convert_weights(path, folder / output, cell=nn.Dense(2, 3), mapping=mapping)
    assert (caught.value.code, reason in str(caught.value)) == ("PRT405", True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_one_tensor_is_in_memory_at_a_time(folder: Path, suffix: str) -> None:
    alive: list[weakref.ref[Array]] = []

    def produce(_name: str) -> Array:
        assert [item for item in alive if item() is not None] == []
        value = np.zeros(1000)
        alive.append(weakref.ref(value))
        return value

    outputs = [OutputTensor(name, (1000,), DTYPES["float64"]) for name in "abc"]
    write_tensors(folder / f"m{suffix}", outputs, produce)
    assert len(alive) == 3
