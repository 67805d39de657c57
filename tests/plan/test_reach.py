"""Port one class of a package: what it needs comes along, and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from porter.port import port_source
from porter.types import PortResult

LAYERS = '''\
"""Layers of the package."""
import torch
from torch import nn

WIDTH = 3


class Unused(nn.Module):
    def forward(self, x):
        return torch.no_such_function(x, 3)


def scaled(x: torch.Tensor) -> torch.Tensor:
    return torch.mul(x, WIDTH)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(self.dense(x))
'''
CONFIG = '''\
"""Plain Python."""


class Config:
    width = 3
'''
MODEL = '''\
"""The model."""
import torch
from torch import nn

from .config import Config
from .parts import Layer as Part


class Model(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config or Config()
        self.part = Part()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.part(x) + self.part.forward(x)


class Other(nn.Module):
    def forward(self, x):
        return torch.no_such_function(x, 3)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "sample_package"
    (folder / "parts").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "model.py").write_text(MODEL)
    (folder / "config.py").write_text(CONFIG)
    (folder / "parts" / "__init__.py").write_text("from .layers import Layer, Unused\n")
    (folder / "parts" / "layers.py").write_text(LAYERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "sample_package.model:Model"


def texts(result: PortResult) -> dict[str, str]:
    return {
        item.path.as_posix(): item.text for item in result.files if item.path.parts[0] != "runtime"
    }


def defined(text: str) -> set[str]:
    kinds = ast.ClassDef | ast.FunctionDef
    return {node.name for node in ast.parse(text).body if isinstance(node, kinds)}


def test_only_what_the_class_reaches_is_ported(package: str) -> None:
    files = texts(port_source(package))
    assert set(files) == {"__init__.py", "model.py", "layers.py"}
    assert defined(files["model.py"]) == {"Model"}
    assert defined(files["layers.py"]) == {"scaled", "Layer"}
    assert "WIDTH = 3" in files["layers.py"]


def test_a_reexported_class_is_imported_from_its_ported_home(package: str) -> None:
    files = texts(port_source(package))
    assert "from .layers import Layer as Part" in files["model.py"]


def test_plain_python_stays_an_import_of_its_package(package: str) -> None:
    assert "from sample_package.config import Config" in texts(port_source(package))["model.py"]


def test_what_is_left_out_raises_no_finding(package: str) -> None:
    result = port_source(package)
    assert result.findings == ()
    assert result.manifest["class"] == "Model"
    assert result.manifest["source"] == "sample_package.model"
    assert result.manifest["module"] == "model"


def test_the_source_is_not_run(package: str, tmp_path: Path) -> None:
    path = tmp_path / "sample_package" / "__init__.py"
    path.write_text("raise SystemExit('imported')\n")
    port_source(package)


def test_the_whole_module_keeps_every_class(package: str) -> None:
    files = texts(port_source(package.partition(":")[0]))
    assert defined(files["model.py"]) == {"Model", "Other"}


def test_a_class_of_a_sibling_file_is_brought_along(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        MODEL.replace("from .config import Config\n", "Config = dict\n").replace(
            "from .parts import", "from layers import"
        )
    )
    (tmp_path / "layers.py").write_text(LAYERS)
    files = texts(port_source(f"{tmp_path / 'model.py'}:Model"))
    assert set(files) == {"__init__.py", "model.py", "layers.py"}
    assert "from .layers import Layer as Part" in files["model.py"]


def test_a_folder_is_ported_as_a_package(package: str, tmp_path: Path) -> None:
    result = port_source(str(tmp_path / "sample_package"))
    files = texts(result)
    assert {"model.py", "layers.py", "config.py"} <= set(files)
    assert "from .layers import Layer as Part" in files["model.py"]
    assert {finding.code for finding in result.findings} == {"PRT101"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from .parts import layers", "from . import layers"),
        ("from sample_package.parts import layers as parts", "from . import layers as parts"),
        ("import sample_package.parts.layers as parts", "from . import layers as parts"),
    ],
)
def test_an_imported_module_of_the_package_is_the_ported_one(
    line: str, expected: str, package: str, tmp_path: Path
) -> None:
    bound = line.rpartition(" ")[2]
    path = tmp_path / "sample_package" / "model.py"
    path.write_text(
        MODEL.replace("from .parts import Layer as Part", line).replace(
            "Part()", f"{bound}.Layer()"
        )
    )
    files = texts(port_source(package))
    assert f"\n{expected}\n" in files["model.py"]
    assert f"self.part = {bound}.Layer()" in files["model.py"]
    assert defined(files["layers.py"]) == {"scaled", "Layer"}


def test_a_base_class_is_found_through_a_reexport(package: str, tmp_path: Path) -> None:
    path = tmp_path / "sample_package" / "model.py"
    path.write_text(
        "from .parts import Layer\n\n\nclass Model(Layer):\n"
        "    def forward(self, x):\n        return super().forward(x)\n"
    )
    files = texts(port_source(package))
    assert "def construct(self, x):\n        return super().construct(x)" in files["model.py"]
