"""Test which tensors of a checkpoint are taken: state dicts by key, folders, URLs, guesses."""

# mypy: allow-subclassing-any
from __future__ import annotations

import collections
import http.server
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pytest
import torch
from mindspore import nn
from safetensors.torch import load_file

from porter.cli import main
from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights.convert import Conversion, convert_weights
from porter.weights.dtypes import DTYPES, cast
from porter.weights.names import map_names
from porter.weights.read import open_checkpoint
from porter.weights.report import WeightReport, WeightsError
from porter.weights.selection import Selection
from porter.weights.settings import Settings
from tests.weights.plain import convert_plain, read_folder, write_shards
from tests.weights.support import Linear, load, save, state

# --- state dicts in a torch file --------------------------------------------------------------


def training_file(folder: Path) -> dict[str, dict[str, torch.Tensor]]:
    """Save what a training script does: the model, its average, an optimizer, numbers."""
    module = torch.nn.Linear(2, 3)
    optimizer = torch.optim.AdamW(module.parameters())
    module(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    model, average = state(), state()
    torch.save(
        {
            "epoch": 3,
            "state_dict": model,
            "ema": {"decay": 0.999, "shadow": average},
            "optimizer": optimizer.state_dict(),
            "names": ["a", "b"],
            "counts": collections.Counter("abc"),
        },
        folder / "m.pt",
    )
    return {"state_dict": model, "ema.shadow": average}


def test_several_state_dicts_are_told_and_not_chosen_between(folder: Path) -> None:
    training_file(folder)
    with pytest.raises(PorterError) as caught:
        open_checkpoint(folder / "m.pt")
    assert caught.value.code == "PRT507"
    assert "as state_dict and as ema.shadow" in str(caught.value)
    assert caught.value.hint == "choose with --key state_dict"


@pytest.mark.parametrize("key", ["state_dict", "ema.shadow"])
def test_a_key_chooses_one(folder: Path, key: str) -> None:
    states = training_file(folder)
    opened = open_checkpoint(folder / "m.pt", key=key)
    assert set(opened.tensors) == set(states[key])
    for name, value in states[key].items():
        assert np.array_equal(opened.read(name), value.numpy())


@pytest.mark.parametrize(
    ("name", "key", "reason"),
    [
        ("m.pt", "model", "holds no state dict as 'model' (it holds state_dict, ema.shadow)"),
        ("m.safetensors", "model", "holds no state dicts to choose from"),
    ],
)
def test_a_key_that_leads_nowhere_is_refused(
    folder: Path, name: str, key: str, reason: str
) -> None:
    training_file(folder)
    save(state(), folder / "m.safetensors")
    with pytest.raises(PorterError) as caught:
        open_checkpoint(folder / name, key=key)
    assert (caught.value.code, reason in str(caught.value)) == ("PRT703", True)


def test_the_only_state_dict_is_found_under_any_name(folder: Path) -> None:
    torch.save({"epoch": 1, "generator": {"weights": state()}}, folder / "m.pt")
    assert set(open_checkpoint(folder / "m.pt").tensors) == {"linear.weight", "linear.bias"}


def test_the_prefix_of_data_parallel_is_cut_off_and_told(folder: Path, mapping: Mapping) -> None:
    tensors = {f"module.{name}": value for name, value in state().items()}
    path = save(tensors, folder / "m.pt")
    report = convert_weights(path, folder / "m.ckpt", cell=Linear(), mapping=mapping)
    assert report.tensors[0].sources == ("module.linear.weight",)
    assert "names taken below module." in report.summary()
    load(folder / "m.ckpt", Linear())
    held = nn.CellDict({"module": Linear()})
    report = convert_weights(path, folder / "m.ckpt", cell=held, mapping=mapping)
    assert report.wrapper == ""
    some = tensors | {"other": torch.ones(1)}
    with pytest.raises(WeightsError) as caught:
        convert_weights(
            save(some, folder / "n.pt"), folder / "n.ckpt", cell=Linear(), mapping=mapping
        )
    assert caught.value.hint == "give --prefix module."


def test_a_parameter_with_attributes_and_a_buffer_are_tensors(folder: Path) -> None:
    parameter = torch.nn.Parameter(torch.ones(2))
    parameter.note = "sharded"  # type: ignore[attr-defined]
    torch.save({"a": parameter, "b": torch.nn.Buffer(torch.zeros(1))}, folder / "m.pt")
    opened = open_checkpoint(folder / "m.pt")
    assert {name: opened.read(name).tolist() for name in "ab"} == {"a": [1, 1], "b": [0]}


# --- folders ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_a_folder_of_save_pretrained_and_its_trainer_is_read(folder: Path, name: str) -> None:
    for other in ("training_args.bin", "optimizer.pt", "scheduler.pt", "adapter.safetensors"):
        save({"no": torch.ones(1)}, folder / other)
    (folder / "config.json").write_text("{}")
    save({"yes": torch.ones(1)}, folder / name)
    assert list(open_checkpoint(folder).tensors) == ["yes"]


def test_transformers_own_folders_are_read(folder: Path) -> None:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=50,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=8,
    )
    model = BertModel(config)
    model.save_pretrained(folder / "whole")
    model.save_pretrained(folder / "sharded", max_shard_size="10KB")
    assert len(list((folder / "sharded").glob("*.safetensors"))) > 1
    for place in ("whole", "sharded"):
        opened = open_checkpoint(folder / place)
        assert set(opened.tensors) == set(dict(model.named_parameters()))
        for name, parameter in model.named_parameters():
            assert np.array_equal(opened.read(name), parameter.detach().numpy())


def test_a_folder_of_ckpt_files_comes_back(folder: Path, mapping: Mapping) -> None:
    tensors = state()
    options = Settings(suffix=".ckpt", shard_size=20)
    path = save(tensors, folder / "m.pt")
    convert_weights(path, folder / "out", cell=Linear(), mapping=mapping, settings=options)
    assert (folder / "out" / "model.ckpt.index.json").is_file()
    from porter.weights.restore import restore_weights

    restore_weights(folder / "out", folder / "b.safetensors", cell=Linear(), mapping=mapping)
    back = load_file(folder / "b.safetensors")
    assert all(torch.equal(back[name], value) for name, value in tensors.items())


def test_an_index_that_names_a_tensor_twice_is_refused(folder: Path) -> None:
    text = '{"weight_map": {"a": "m.safetensors", "a": "n.safetensors"}}'
    (folder / "model.safetensors.index.json").write_text(text)
    with pytest.raises(PorterError, match="names a tensor twice"):
        open_checkpoint(folder)


# --- URLs -------------------------------------------------------------------------------------


@pytest.fixture
def memory() -> Iterator[Any]:
    """Return fsspec's file system in memory, empty."""
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


def test_a_sharded_folder_is_read_from_any_store(folder: Path, memory: Any) -> None:
    held = write_shards(folder / "in")
    memory.put(str(folder / "in"), "/bucket/model", recursive=True)
    convert_plain("memory://bucket/model", folder / "out", shard_size=9000)
    assert {name.replace("gamma", "weight") for name in read_folder(folder / "out")} == set(held)
    manifest = json.loads((folder / "out" / "porter-weights.json").read_text())
    assert manifest["source"]["files"][0]["file"] == (
        "memory:///bucket/model/model.safetensors.index.json"
    )


@pytest.mark.parametrize("name", ["m.pt", "m.safetensors", "m.bin"])
def test_every_format_is_read_from_a_store(folder: Path, memory: Any, name: str) -> None:
    tensors = state()
    path = folder / name
    if name == "m.bin":
        torch.save(tensors, path, _use_new_zipfile_serialization=False)
    else:
        save(tensors, path)
    memory.put(str(path), f"/{name}")
    opened = open_checkpoint(f"memory://{name}")
    for key, value in tensors.items():
        assert np.array_equal(opened.read(key), value.numpy())


def test_a_file_url_is_a_path(folder: Path) -> None:
    path = save(state(), folder / "m.safetensors")
    assert set(open_checkpoint(path.as_uri()).tensors) == set(state())


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Serve a folder by ranges, as stores of models do."""

    def log_message(self, *_arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        data = Path(self.translate_path(self.path)).read_bytes()
        begin, end = 0, len(data)
        wanted = self.headers.get("Range")
        if wanted:
            first, last = wanted.removeprefix("bytes=").split("-")
            begin, end = int(first), min(int(last) + 1, end)
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(end - begin))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(data)}")
        self.end_headers()
        self.wfile.write(data[begin:end])


def test_a_file_is_read_from_a_web_server(folder: Path) -> None:
    pytest.importorskip("aiohttp", reason="fsspec reads http with aiohttp")
    save(state(), folder / "m.safetensors")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Ranges, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        convert_plain(f"{url}/m.safetensors", folder / "out.safetensors")
        assert len(load_file(folder / "out.safetensors")) == 2
        with pytest.raises(PorterError, match="unreadable checkpoint"):
            open_checkpoint(f"{url}/missing.safetensors")
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("url", ["memory://missing/m.pt", "nothing://x/m.pt", "memory://m.txt"])
def test_a_url_that_leads_nowhere_is_one_line(memory: Any, url: str) -> None:
    memory.pipe("/m.txt", b"text")
    with pytest.raises(PorterError) as caught:
        open_checkpoint(url)
    assert caught.value.code == "PRT507"
    assert "\n" not in str(caught.value)


# --- what fits in part, and guesses -----------------------------------------------------------


def convert(path: Path, mapping: Mapping, **options: Any) -> WeightReport:
    conversion = Conversion(path, path.with_suffix(".ckpt"), Selection(**options), Settings())
    return conversion.run(map_names(Linear(), mapping, conversion.wanted()))


def test_what_is_missing_or_too_much_may_be_allowed(folder: Path, mapping: Mapping) -> None:
    path = save({"linear.weight": torch.ones(3, 2), "head": torch.ones(1)}, folder / "m.pt")
    for allowed, code in (("allow_missing", "PRT501"), ("allow_unexpected", "PRT502")):
        with pytest.raises(WeightsError) as caught:
            convert(path, mapping, **{allowed: True})
        assert [finding.code for finding in caught.value.findings] == [code]
    report = convert(path, mapping, allow_missing=True, allow_unexpected=True)
    found = [(finding.code, finding.severity.value) for finding in report.findings()]
    assert found == [("PRT502", "warning"), ("PRT501", "warning")]
    assert [item.source for item in report.ignored] == ["head"]


def test_a_guess_knows_the_layers_of_torch(folder: Path) -> None:
    module = torch.nn.ModuleDict(
        {
            "embeddings": torch.nn.Embedding(5, 4),
            "norm": torch.nn.LayerNorm(4),
            "batch": torch.nn.BatchNorm2d(4),
            "conv": torch.nn.Conv1d(4, 4, 3),
            "head": torch.nn.Linear(4, 2),
        }
    )
    path = save(module.state_dict(), folder / "m.safetensors")
    report = convert_plain(path, folder / "out.safetensors")
    cell = nn.CellDict(
        {
            "embeddings": nn.Embedding(5, 4),
            "norm": nn.LayerNorm((4,)),
            "batch": nn.BatchNorm2d(4),
            "conv": nn.Conv1d(4, 4, 3, has_bias=True),
            "head": nn.Dense(4, 2),
        }
    )
    load(folder / "out.safetensors", cell)
    (finding,) = report.findings()
    assert (finding.code, finding.severity.value) == ("PRT511", "warning")
    assert all((tensor.rule or "").startswith("guess: ") for tensor in report.tensors)


def test_a_dry_run_prints_every_rename_and_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save({"norm.weight": torch.ones(3), "conv.weight": torch.ones(2, 2, 3)}, folder / "m.pt")
    assert main(["weights", "m.pt", "-o", "out.ckpt", "--infer", "--dry-run"]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].split() == ["source", "target", "shape", "dtype", "transform", "rule"]
    assert lines[1].split()[:2] == ["norm.weight", "norm.gamma"]
    assert "[2, 2, 3] -> [2, 2, 1, 3]" in lines[2]
    assert "insert_axis:2" in lines[2]
    assert "would be in out.ckpt" in captured.err
    assert [item.name for item in folder.iterdir()] == ["m.pt"]


def test_names_that_would_steer_a_terminal_are_printed_as_text(
    folder: Path, mapping: Mapping, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a\x1b[2J\nb"
    save({name: torch.ones(1)}, folder / "m.safetensors")
    assert main(["weights", "m.safetensors", "-o", "out.ckpt", "--infer", "--dry-run"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1].startswith("a\\x1b[2J b")
    assert "\x1b" not in captured.out + captured.err
    with pytest.raises(WeightsError) as caught:
        convert(folder / "m.safetensors", mapping)
    assert "called a\\x1b[2J b in torch" in caught.value.findings[-1].message


# --- dtypes that MindSpore does not load ------------------------------------------------------


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_8_bit_floats_are_read_as_torch_reads_them(folder: Path, name: str) -> None:
    dtype = getattr(torch, name)
    every = torch.arange(256, dtype=torch.uint8).view(dtype)
    for file in ("m.pt", "m.safetensors"):
        opened = open_checkpoint(save({"a": every}, folder / file))
        assert opened.tensors["a"].dtype == DTYPES[name]
        found = cast(opened.read("a"), DTYPES[name], DTYPES["float32"])
        np.testing.assert_array_equal(found, every.float().numpy())


def test_what_mindspore_loads_from_no_file_needs_a_cast(folder: Path, mapping: Mapping) -> None:
    tensors = {name: value.to(torch.float8_e4m3fn) for name, value in state().items()}
    path = save(tensors, folder / "m.pt")
    with pytest.raises(WeightsError) as caught:
        convert(path, mapping)
    assert {finding.code for finding in caught.value.findings} == {"PRT504"}
    assert "MindSpore loads no float8_e4m3fn from a file" in str(caught.value)
    assert caught.value.hint == "give --dtype to state the change"
    convert(path, mapping, dtype="float32")
    cell = load(folder / "m.ckpt", Linear())
    assert np.array_equal(cell.linear.weight.asnumpy(), tensors["linear.weight"].float().numpy())


def test_complex_numbers_are_refused_by_name(folder: Path) -> None:
    path = save({"a": torch.ones(2, dtype=torch.complex64)}, folder / "m.pt")
    with pytest.raises(WeightsError, match="MindSpore loads no complex64 from a file"):
        convert_plain(path, folder / "out.ckpt")
