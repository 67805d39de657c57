"""Test that readable checkpoints are read bit by bit, and every other one is refused in a line."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from porter.types import PorterError
from porter.weights.dtypes import DTYPES
from porter.weights.read import open_checkpoint
from tests.weights.support import bits, save

RAW = torch.arange(-32768, 32768).to(torch.int16)


def hard_state() -> dict[str, torch.Tensor]:
    """Return tensors of every dtype and of every kind that a reader may get wrong."""
    base = torch.randn(3, 4)
    return {
        "bfloat16": RAW.clone().view(torch.bfloat16),
        "float16": RAW.clone().view(torch.float16),
        "float32": torch.tensor([1.5, -0.0, float("nan"), float("inf"), 1e-45]),
        "float64": torch.tensor([0.1], dtype=torch.float64),
        "bool": torch.tensor([True, False, True]),
        "uint8": torch.arange(256).to(torch.uint8),
        "int8": torch.tensor([-128, 127], dtype=torch.int8),
        "int32": torch.tensor([-(2**31), 2**31 - 1], dtype=torch.int32),
        "int64": torch.tensor([-(2**63), 2**63 - 1]),
        "uint16": torch.tensor([65535], dtype=torch.uint16),
        "uint32": torch.tensor([2**32 - 1], dtype=torch.uint32),
        "uint64": torch.tensor([2**63 + 1], dtype=torch.uint64),
        "transposed": base.t(),
        "slice": base[1:, ::2],
        "expanded": torch.tensor([7.0]).expand(3, 2),
        "tied": base,
        "also tied": base,
        "empty": torch.zeros(0, 3),
        "empty bfloat16": torch.zeros(2, 0, dtype=torch.bfloat16),
        "scalar": torch.tensor(2.5),
        "scalar bfloat16": torch.tensor(2.5, dtype=torch.bfloat16),
        "scalar int64": torch.tensor(3),
        "needs gradient": torch.ones(2, requires_grad=True),
        "parameter": torch.nn.Parameter(torch.ones(2)),
    }


def assert_same(path: Path, state: dict[str, torch.Tensor]) -> None:
    opened = open_checkpoint(path)
    assert set(opened.tensors) == set(state)
    for name, tensor in state.items():
        info, value, wanted = opened.tensors[name], opened.read(name), bits(tensor)
        assert info.shape == value.shape == tuple(tensor.shape), name
        assert info.dtype.name == str(tensor.dtype).removeprefix("torch."), name
        assert value.dtype == info.dtype.storage, name
        assert value.tobytes() == wanted.tobytes(), name
        assert value.flags.c_contiguous, name


@pytest.mark.parametrize("name", ["m.safetensors", "m.pt", "m.pth", "m.bin"])
def test_every_tensor_is_read_bit_by_bit(folder: Path, name: str) -> None:
    state = hard_state()
    assert_same(save(state, folder / name), state)


def test_the_legacy_torch_format_is_read(folder: Path) -> None:
    # torch itself cannot load the wider unsigned integers from its legacy format.
    wide = {"uint16", "uint32", "uint64"}
    state = {name: item for name, item in hard_state().items() if name not in wide}
    torch.save(state, folder / "m.pt", _use_new_zipfile_serialization=False)
    assert_same(folder / "m.pt", state)


@pytest.mark.parametrize("modern", [True, False])
def test_lazily_negated_and_conjugated_tensors_are_read_as_their_values(
    folder: Path, modern: bool
) -> None:
    conjugated = torch.tensor([1 + 2j, 3 - 4j]).conj()
    negated = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    assert negated.is_neg()
    state = {"a": negated, "b": conjugated}
    torch.save(state, folder / "m.pt", _use_new_zipfile_serialization=modern)
    opened = open_checkpoint(folder / "m.pt")
    assert opened.read("a").tolist() == [-2.0, 4.0]
    assert opened.read("b").tolist() == [1 - 2j, 3 + 4j]


@pytest.mark.parametrize("key", ["state_dict", "model"])
def test_a_state_dict_below_a_known_key_is_found(folder: Path, key: str) -> None:
    state = {"a": torch.ones(2)}
    assert_same(save({"epoch": 3, key: state, "optimizer": {}}, folder / "m.pt"), state)


def test_a_tensor_called_model_is_a_tensor(folder: Path) -> None:
    state = {"model": torch.ones(2), "state_dict": torch.zeros(1)}
    assert_same(save(state, folder / "m.pt"), state)


def test_two_state_dicts_leave_a_choice(folder: Path) -> None:
    state = {"a": torch.ones(2)}
    refuse(
        save({"state_dict": state, "model": state}, folder / "m.pt"), "as state_dict and as model"
    )


def refuse(path: Path, reason: str, code: str = "PRT507") -> PorterError:
    with pytest.raises(PorterError) as caught:
        open_checkpoint(path)
    assert caught.value.code == code
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


# --- torch files that must be refused ---------------------------------------------------------


class Payload:
    """Write a file when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self.target = str(target)

    def __reduce__(self) -> Any:
        return (os.mkdir, (self.target,))


@pytest.mark.parametrize("modern", [True, False])
def test_a_payload_never_runs(folder: Path, modern: bool) -> None:
    trace = folder / "payload ran"
    state = {"a": torch.ones(2), "b": Payload(trace)}
    torch.save(state, folder / "m.pt", _use_new_zipfile_serialization=modern)
    refuse(folder / "m.pt", "asks for posix.mkdir; nothing of it was run", "PRT508")
    assert not trace.exists()
    # The file is a real attack: without weights_only it does run.
    torch.load(folder / "m.pt", weights_only=False)
    assert trace.is_dir()


def test_a_pickled_module_is_unsafe(folder: Path) -> None:
    torch.save(torch.nn.Linear(2, 2), folder / "m.pt")
    refuse(folder / "m.pt", "asks for torch.nn.modules.linear.Linear", "PRT508")


@pytest.mark.parametrize("modern", [True, False])
@pytest.mark.parametrize("keep", [0, 1, 10, 100, 0.5, 0.9, -1])
def test_a_cut_torch_file_is_refused(folder: Path, modern: bool, keep: float) -> None:
    path = folder / "m.pt"
    state = {"a": torch.randn(50), "b": torch.randn(50)}
    torch.save(state, path, _use_new_zipfile_serialization=modern)
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])
    refuse(path, "unreadable checkpoint: ")


@pytest.mark.parametrize("data", [b"hello world", b"\x80\x02}q\x00.", b"PK\x03\x04rest", b"\x80"])
def test_a_file_that_torch_did_not_write_is_refused(folder: Path, data: bytes) -> None:
    (folder / "m.bin").write_bytes(data)
    refuse(folder / "m.bin", "unreadable checkpoint: ")


@pytest.mark.parametrize(
    ("loaded", "reason"),
    [
        ([torch.ones(1)], "it holds list, not a state dict"),
        (torch.ones(1), "it holds Tensor, not a state dict"),
        ({"a": 3}, "'a' is int, not a tensor"),
        ({3: torch.ones(1)}, "a key of the state dict is int"),
        ({"a": {"b": 3}}, "'a' is dict, not a tensor"),
        ({"a": torch.ones(2, 2).to_sparse()}, "tensor 'a' is sparse"),
        ({"a": torch.ones(2, device="meta")}, "tensor 'a' is sparse, quantized or without data"),
        ({"a": torch.ones(1).to(torch.float8_e8m0fnu)}, "'a' has dtype torch.float8_e8m0fnu"),
    ],
)
def test_what_is_no_state_dict_is_refused(folder: Path, loaded: Any, reason: str) -> None:
    torch.save(loaded, folder / "m.pt")
    refuse(folder / "m.pt", reason)


# --- safetensors files that must be refused ----------------------------------------------------


def header(text: str | bytes, data: bytes = b"", length: int | None = None) -> bytes:
    encoded = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(encoded) if length is None else length) + encoded + data


def tensor(dtype: Any = "F32", shape: Any = (2,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


LIES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "truncated"),
    "short": (b"\x08\0\0", "truncated"),
    "no header": (struct.pack("<Q", 0), "truncated"),
    "header longer than the file": (header("{}", length=1000), "truncated"),
    "header of exabytes": (header("{}", length=2**63), "truncated"),
    "no JSON": (header("hello"), "its header is no JSON"),
    "no UTF-8": (header(b"\xff\xfe{}"), "its header is no JSON"),
    "nested too deep": (header("[" * 100_000), "its header is no JSON"),
    "a list": (header("[]"), "its header is no JSON object"),
    "a name twice": (
        header(f'{{"a":{json.dumps(tensor())},"a":{json.dumps(tensor())}}}', b"\0" * 8),
        "names a tensor twice",
    ),
    "no description": (header('{"a": 3}'), "does not describe tensor 'a'"),
    "missing fields": (header('{"a": {"dtype": "F32"}}'), "does not describe tensor 'a'"),
}
for label, value, reason in (
    ("unknown dtype", tensor(dtype="F8_E8M0"), "tensor 'a' is 'F8_E8M0'"),
    ("dtype of another kind", tensor(dtype=["F32"]), "which MindSpore cannot load"),
    ("negative size", tensor(shape=[-2]), "does not describe"),
    ("fractional size", tensor(shape=[2.0]), "does not describe"),
    ("boolean size", tensor(shape=[True, 2]), "does not describe"),
    ("three offsets", tensor(offsets=[0, 4, 8]), "does not describe"),
    ("larger shape than data", tensor(shape=[3]), "does not fit its data"),
    ("enormous shape", tensor(shape=[2**62, 2**62]), "does not fit its data"),
    ("offsets backwards", tensor(offsets=[8, 0]), "does not fit its data"),
    ("a hole", tensor(offsets=[4, 12]), "leave holes"),
    ("less data than claimed", tensor(shape=[4], offsets=[0, 16]), "holds 8 bytes of data"),
    ("more data than claimed", tensor(shape=[1], offsets=[0, 4]), "holds 8 bytes of data"),
):
    LIES[label] = (header(json.dumps({"a": value}), b"\0" * 8), reason)
LIES["overlap"] = (
    header(json.dumps({"a": tensor(), "b": tensor()}), b"\0" * 8),
    "overlap or leave holes",
)


@pytest.mark.parametrize("label", LIES)
def test_a_safetensors_header_that_lies_is_refused(folder: Path, label: str) -> None:
    data, reason = LIES[label]
    (folder / "m.safetensors").write_bytes(data)
    refuse(folder / "m.safetensors", reason)


@pytest.mark.parametrize("keep", [7, 20, -1])
def test_a_cut_safetensors_file_is_refused(folder: Path, keep: int) -> None:
    path = save({"a": torch.ones(9)}, folder / "m.safetensors")
    path.write_bytes(path.read_bytes()[:keep])
    refuse(path, "unreadable checkpoint: it")


def test_a_file_that_shrinks_after_opening_is_refused(folder: Path) -> None:
    path = save({"a": torch.ones(9)}, folder / "m.safetensors")
    opened = open_checkpoint(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(PorterError, match="became shorter while tensor 'a' was read"):
        opened.read("a")
    with pytest.raises(PorterError, match="became shorter while tensor 'a' was read"):
        list(opened.stream("a", 0, 36))


def test_metadata_is_no_tensor(folder: Path) -> None:
    save_file({"a": torch.ones(1)}, folder / "m.safetensors", {"format": "pt"})
    assert list(open_checkpoint(folder / "m.safetensors").tensors) == ["a"]


# --- names, folders and shards -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["m.h5", "m", "m.ckpt", "m.json", "m.safetensors.txt"])
def test_a_wrong_suffix_is_refused(folder: Path, name: str) -> None:
    save({"a": torch.ones(1)}, folder / "m.safetensors").rename(folder / name)
    refuse(folder / name, "the name must end in .safetensors, .pt, .pth, .bin or .index.json")


@pytest.mark.parametrize(("wrong", "right"), [("m.safetensors", "m.pt"), ("m.pt", "m.safetensors")])
def test_content_that_does_not_fit_the_suffix_is_refused(
    folder: Path, wrong: str, right: str
) -> None:
    save({"a": torch.ones(1)}, folder / right).rename(folder / wrong)
    refuse(folder / wrong, "unreadable checkpoint: ")


@pytest.mark.parametrize("name", ["m.safetensors", "m.pt", "m.safetensors.index.json", "folder"])
def test_a_missing_file_is_refused(folder: Path, name: str) -> None:
    refuse(folder / name, "there is no such file or folder")


def test_a_git_lfs_pointer_is_named(folder: Path) -> None:
    (folder / "m.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    refuse(folder / "m.safetensors", "git lfs pull")


def shards(folder: Path, suffix: str = ".safetensors") -> dict[str, torch.Tensor]:
    """Write two shards and their index into `folder`; return all tensors."""
    parts = [{"a": torch.randn(2), "b": torch.randn(3)}, {"c": torch.randn(1)}]
    places: dict[str, str] = {}
    for number, part in enumerate(parts, 1):
        name = f"model-{number:05}-of-00002{suffix}"
        save(part, folder / name)
        places |= dict.fromkeys(part, name)
    write_index(folder, places, f"model{suffix}.index.json")
    return parts[0] | parts[1]


def write_index(folder: Path, places: Any, name: str = "model.safetensors.index.json") -> Path:
    (folder / name).write_text(json.dumps({"metadata": {}, "weight_map": places}))
    return folder / name


@pytest.mark.parametrize("suffix", [".safetensors", ".bin"])
@pytest.mark.parametrize("given", ["index", "folder"])
def test_shards_are_read_through_their_index(folder: Path, suffix: str, given: str) -> None:
    state = shards(folder, suffix)
    assert_same(folder if given == "folder" else folder / f"model{suffix}.index.json", state)


def test_shards_may_be_links_out_of_the_folder(folder: Path) -> None:
    (folder / "store").mkdir()
    (folder / "snapshot").mkdir()
    blob = save({"a": torch.ones(2)}, folder / "store" / "blob.safetensors")
    (folder / "snapshot" / "m.safetensors").symlink_to(blob)
    write_index(folder / "snapshot", {"a": "m.safetensors"})
    assert_same(folder / "snapshot", {"a": torch.ones(2)})


def test_a_folder_with_one_file_is_read(folder: Path) -> None:
    (folder / "config.json").write_text("{}")
    state = {"a": torch.ones(2)}
    save(state, folder / "pytorch_model.bin")
    assert_same(folder, state)


def test_a_folder_that_leaves_a_choice_is_refused(folder: Path) -> None:
    save({"a": torch.ones(1)}, folder / "model.safetensors")
    save({"a": torch.ones(1)}, folder / "pytorch_model.bin")
    refuse(folder, "a choice between model.safetensors, pytorch_model.bin")


def test_an_empty_folder_is_refused(folder: Path) -> None:
    refuse(folder, "the folder holds no .safetensors")


@pytest.mark.parametrize(
    "shard",
    [
        "../m.safetensors",
        "/etc/m.safetensors",
        "below/../../m.safetensors",
        "..\\m.safetensors",
        "C:\\m.safetensors",
        "C:m.safetensors",
    ],
)
def test_a_shard_outside_the_folder_is_refused(folder: Path, shard: str) -> None:
    inside = folder / "model"
    inside.mkdir()
    save({"a": torch.ones(1)}, folder / "m.safetensors")
    refuse(write_index(inside, {"a": shard}), "which is not inside its folder")


@pytest.mark.parametrize(
    ("places", "reason"),
    [
        ({"a": "missing.safetensors"}, "there is no such file"),
        ({"a": "m.txt"}, "which is no checkpoint file"),
        ({"a": "model.safetensors.index.json"}, "which is no checkpoint file"),
        ({"a": 3}, "names the shard 3"),
        ({}, "no JSON object with a weight_map"),
        (["m.safetensors"], "no JSON object with a weight_map"),
        ({"a": "m.safetensors", "x": "m.safetensors"}, "tensor 'x' in m.safetensors, which does"),
        ({"b": "m.safetensors"}, "m.safetensors holds tensor 'a', against the index"),
    ],
)
def test_an_index_that_lies_is_refused(folder: Path, places: Any, reason: str) -> None:
    save({"a": torch.ones(1), "b": torch.ones(1)}, folder / "m.safetensors")
    refuse(write_index(folder, places), reason)


def test_a_tensor_in_two_shards_is_refused(folder: Path) -> None:
    save({"a": torch.ones(1)}, folder / "1.safetensors")
    save({"a": torch.zeros(1), "b": torch.zeros(1)}, folder / "2.safetensors")
    index = write_index(folder, {"a": "1.safetensors", "b": "2.safetensors"})
    refuse(index, "2.safetensors holds tensor 'a'")


@pytest.mark.parametrize("text", ["", "no JSON", "[" * 100_000, '"text"'])
def test_an_unreadable_index_is_refused(folder: Path, text: str) -> None:
    (folder / "m.index.json").write_text(text)
    refuse(folder / "m.index.json", "the index is no JSON")


def test_a_payload_in_a_shard_never_runs(folder: Path) -> None:
    torch.save({"a": Payload(folder / "ran")}, folder / "m.bin")
    refuse(write_index(folder, {"a": "m.bin"}), "unsafe checkpoint", "PRT508")
    assert not (folder / "ran").exists()


def test_bfloat16_travels_as_bits() -> None:
    assert DTYPES["bfloat16"].storage == np.dtype(np.uint16)
