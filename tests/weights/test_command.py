"""Test the command line: how the Cell is built, what is printed, and what stops it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mindspore as ms
import pytest
import torch
from safetensors.torch import load_file

from porter.cli import main
from tests.weights.support import save

MODEL = """
from dataclasses import dataclass

import mindspore as ms
from mindspore import nn

from .sizes import OUT


@dataclass
class Config:
    features: int = 1


class Model(nn.Cell):
    def __init__(self, config, twice=False):
        super().__init__()
        self.linear = nn.Dense(config.features, OUT)
        if twice:
            self.second = nn.Dense(1, 1)


class Plain(nn.Cell):
    def __init__(self, features, dtype=ms.float32):
        super().__init__()
        self.linear = nn.Dense(features, 3, dtype=dtype)


class NoCell:
    pass


class Broken(nn.Cell):
    def __init__(self):
        super().__init__()
        raise KeyError("broken on purpose")
"""
SAVED_MODELS = """

class Hidden(nn.Cell):
    def __init__(self, config):
        super().__init__()
        assert config._attn_implementation == "eager"
        self.linear = nn.Dense(config.hidden_size, OUT)


class Half:
    _attn_implementation = "eager"
    hidden_size = 2

    @classmethod
    def from_pretrained(cls, path):
        return cls()


class Wide(Hidden):
    @classmethod
    def _configuration_class(cls):
        return Half
"""
STATE = {"linear.weight": torch.randn(3, 2), "linear.bias": torch.randn(3)}


@pytest.fixture(autouse=True)
def _forget_modules() -> Iterator[None]:
    """Forget what a test imported: each writes its own files under the same names."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in {"ported", "net", "standalone"}:
            del sys.modules[name]


@pytest.fixture
def port(folder: Path) -> Path:
    """Write a port as `porter port` does, and a checkpoint beside it."""
    place = folder / "ported"
    place.mkdir()
    (place / "__init__.py").touch()
    (place / "sizes.py").write_text("OUT = 3\n")
    (place / "net.py").write_text(MODEL)
    manifest = {"source": "original.net", "class": "Model", "module": "net"}
    (place / "port.json").write_text(json.dumps(manifest))
    save(STATE, folder / "m.pt")
    return place


def config(folder: Path, text: str, name: str = "config.json") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


CONFIG = json.dumps({"config_class": "original.net:Config", "config": {"features": 2}})


def run(*arguments: str) -> int:
    return main(["weights", *arguments])


def converted(path: str = "out.ckpt") -> None:
    found = ms.load_checkpoint(path, format=path.rpartition(".")[2])
    assert (found["linear.weight"].asnumpy() == STATE["linear.weight"].numpy()).all()


def test_a_port_is_built_from_its_manifest(folder: Path, port: Path) -> None:
    assert (
        run("m.pt", "-o", "out.ckpt", "--port", "ported", "--config", config(folder, CONFIG)) == 0
    )
    converted()


def test_a_port_may_give_another_class_and_toml_arguments(folder: Path, port: Path) -> None:
    text = 'args = [2]\n[kwargs.dtype]\n"$ref" = "mindspore:float32"\n'
    options = ["--port", "ported", "--cell", "Plain", "--config", config(folder, text, "c.toml")]
    assert run("m.pt", "-o", "out.safetensors", *options) == 0
    converted("out.safetensors")


SAVED = {"model_type": "bert", "hidden_size": 2, "architectures": ["Hidden", "Other"]}


@pytest.mark.parametrize("cell", [["--cell", "Hidden"], ["--cell", "Wide"], []])
def test_a_saved_configuration_is_read_as_it_is(folder: Path, port: Path, cell: list[str]) -> None:
    with (port / "net.py").open("a") as file:
        file.write(SAVED_MODELS)
    if not cell:
        manifest = {"source": "original.net", "class": None, "module": "net"}
        (port / "port.json").write_text(json.dumps(manifest))
    options = ["--port", "ported", *cell, "--config", config(folder, json.dumps(SAVED))]
    assert run("m.pt", "-o", "out.ckpt", *options) == 0
    converted()


@pytest.mark.parametrize(
    ("saved", "reason"),
    [
        ({"model_type": "no such model"}, "cannot build the configuration of"),
        ({"model_type": "bert", "hidden_size": "two"}, "cannot build"),
        ({"architectures": ["Hidden"]}, "cannot build the configuration of"),
    ],
)
def test_a_saved_configuration_that_cannot_be_is_one_line(
    folder: Path,
    port: Path,
    saved: dict[str, Any],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (port / "net.py").open("a") as file:
        file.write(SAVED_MODELS)
    path = config(folder, json.dumps(saved))
    fail(capsys, "PRT704", reason, "--port", "ported", "--cell", "Hidden", "--config", path)


@pytest.mark.parametrize("cell", ["ported.net:Plain", "ported/net.py:Plain"])
def test_a_cell_is_built_from_a_module_or_a_file(folder: Path, port: Path, cell: str) -> None:
    options = ["--cell", cell, "--config", config(folder, '{"kwargs": {"features": 2}}')]
    assert run("m.pt", "-o", "out.ckpt", *options) == 0
    converted()


def test_a_cell_is_built_from_a_single_file(folder: Path) -> None:
    save(STATE, folder / "m.pt")
    text = (
        "from mindspore import nn\n\n\n"
        "def make():\n"
        "    return nn.CellDict({'linear': nn.Dense(2, 3)})\n"
    )
    (folder / "standalone.py").write_text(text)
    assert run("m.pt", "-o", "out.ckpt", "--cell", "standalone.py:make") == 0
    converted()


def test_there_and_back(folder: Path, port: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--port", "ported", "--config", config(folder, CONFIG)]
    assert run("m.pt", "-o", "out.ckpt", *options) == 0
    assert run("out.ckpt", "-o", "back.safetensors", "--reverse", *options) == 0
    back = load_file("back.safetensors")
    assert set(back) == set(STATE)
    assert all(torch.equal(back[name], value) for name, value in STATE.items())
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "2 tensors, 36 bytes, in back.safetensors" in captured.err


def test_the_report_is_json_on_stdout(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--port", "ported", "--config", config(folder, CONFIG), "--format", "json"]
    assert run("m.pt", "-o", "out.ckpt", *options) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["target"] for row in data["tensors"]] == ["linear.weight", "linear.bias"]


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_what_does_not_fit_is_listed_on_stdout(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str], output_format: str
) -> None:
    save({"linear.weight": torch.ones(3, 2), "other": torch.ones(1)}, folder / "m.pt")
    options = ["--port", "ported", "--config", config(folder, CONFIG), "--format", output_format]
    assert run("m.pt", "-o", "out.ckpt", *options) == 1
    captured = capsys.readouterr()
    if output_format == "json":
        found = [item["code"] for item in json.loads(captured.out)["findings"]]
        assert found == ["PRT502", "PRT501"]
    else:
        assert captured.out.splitlines() == [
            "m.pt:1:1: PRT502 no tensor fills Parameter linear.bias: needs linear.bias",
            "m.pt:1:1: PRT501 no Parameter of the Cell is called other in torch",
        ]
    assert captured.err.count("\n") == 1
    assert not (folder / "out.ckpt").exists()


def test_lossy_casts_and_what_was_left_out_are_printed(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(STATE | {"extra": torch.ones(1)}, folder / "m.pt")
    options = ["--port", "ported", "--config", config(folder, CONFIG)]
    assert run("m.pt", "-o", "out.ckpt", *options, "--dtype", "float16", "--ignore", "extra") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("m.pt:1:1: PRT504 linear.weight: float32 becomes float16: 6 values")
    assert lines[-1] == "left out: extra: ignored by request: extra"


def fail(capsys: pytest.CaptureFixture[str], code: str, reason: str, *arguments: str) -> None:
    """Run a command that must fail with one line and leave no output."""
    assert run("m.pt", "-o", "out.ckpt", *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert code in captured.err
    assert reason in captured.err
    assert not Path("out.ckpt").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ([], "PRT703", "no Cell is named"),
        (["--cell", "Model"], "PRT704", 'must read "module:Class"'),
        (["--cell", "ported.net:Missing"], "PRT704", "ported.net has no Missing"),
        (["--cell", "ported.nothing:Model"], "PRT705", "cannot import ported.nothing"),
        (["--cell", "missing.py:Model"], "PRT704", "there is no file missing.py"),
        (["--cell", "ported.net:NoCell"], "PRT704", "NoCell is no mindspore.nn.Cell"),
        (["--cell", "ported.net:Broken"], "PRT704", "cannot build Broken: KeyError"),
        (["--cell", "ported.net:Plain"], "PRT704", "cannot build Plain: TypeError"),
        (["--port", "nowhere"], "PRT704", "nowhere is no port"),
        (["--port", "ported", "--config", "none.json"], "PRT701", "No such file"),
        (["--port", "ported", "--reverse", "--dtype", "float16"], "PRT703", "--reverse excludes"),
    ],
)
def test_a_cell_that_cannot_be_built_is_one_line(
    port: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: str,
    reason: str,
) -> None:
    fail(capsys, code, reason, *arguments)


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("{", "PRT701", "not JSON or TOML"),
        ("[1]", "PRT703", "must be a table"),
        ('{"arguments": []}', "PRT702", "there is no such key"),
        ('{"args": 3}', "PRT703", "must be a list"),
        ('{"config": {"features": 2}}', "PRT703", "config needs config_class"),
        ('{"config_class": "original.net:Missing"}', "PRT704", "has no Missing"),
        ('{"config_class": "no.such:Config"}', "PRT705", "cannot import no.such"),
    ],
)
def test_a_configuration_that_cannot_be_is_one_line(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str], text: str, code: str, reason: str
) -> None:
    fail(capsys, code, reason, "--port", "ported", "--config", config(folder, text))


def test_a_port_without_a_class_needs_one(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = {"source": "original.net", "class": None, "module": "net"}
    (port / "port.json").write_text(json.dumps(manifest))
    fail(capsys, "PRT704", "give it with --cell CLASS", "--port", "ported")


def test_a_port_called_like_an_imported_package_is_refused(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port.rename(folder / "json")
    (folder / "json" / "net.py").rename(folder / "json" / "decoder.py")
    manifest = {"source": "original.net", "class": "Model", "module": "decoder"}
    (folder / "json" / "port.json").write_text(json.dumps(manifest))
    fail(capsys, "PRT704", "another package is called json", "--port", "json")


def test_an_existing_output_needs_force(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "out.ckpt").write_bytes(b"old")
    options = ["--port", "ported", "--config", config(folder, CONFIG)]
    assert run("m.pt", "-o", "out.ckpt", *options) == 2
    assert "PRT401" in capsys.readouterr().err
    assert (folder / "out.ckpt").read_bytes() == b"old"
    assert run("m.pt", "-o", "out.ckpt", *options, "--force") == 0
    converted()


def test_an_unsafe_checkpoint_is_one_line(
    folder: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch.save(torch.nn.Linear(2, 3), folder / "m.pt")
    options = ["--port", "ported", "--config", config(folder, CONFIG)]
    fail(capsys, "PRT508", "nothing of it was run", *options)


def test_the_search_path_is_left_alone(folder: Path, port: Path) -> None:
    before = list(sys.path)
    run("m.pt", "-o", "out.ckpt", "--port", "ported", "--config", config(folder, CONFIG))
    assert sys.path == before
