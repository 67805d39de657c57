"""Names that come through star imports, re-exports and from other packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porter.mapping.load import load_mappings
from porter.port import port_source
from porter.types import PortResult

FILES = {
    "starred/__init__.py": "from .core import *\n",
    "starred/core.py": "import torch\n\nBINS = 5\nRATE = 2\n_HIDDEN = 1\n",
    "starred/settings.py": "WIDTH = 3\nHEIGHT = 4\n",
    "starred/compat.py": "from torch import nn\nfrom transformers.utils import ModelOutput\n",
    "starred/model.py": """\
import torch
import starred
from starred.settings import *
from starred.compat import ModelOutput, nn


class Output(ModelOutput):
    value: torch.Tensor = None


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(WIDTH, starred.BINS)

    def forward(self, x: torch.Tensor) -> Output:
        return Output(value=self.layer(x))
""",
    "plain_package/__init__.py": "",
    "plain_package/settings.py": "WIDTH = 3\n",
    "plain_package/model.py": """\
import torch
from plain_package.settings import *


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * WIDTH
""",
    "torch_layers/__init__.py": "from .kinds import Kind\nfrom .layers import Drop, width\n",
    "torch_layers/kinds.py": "from typing import Union\n\nKind = Union[str, int]\n",
    "torch_layers/layers.py": """\
import torch


class Drop(torch.nn.Module):
    pass


def width(x):
    return torch.numel(x)
""",
    "torch_layers/plain.py": "def three():\n    return 3\n",
}


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def texts(result: PortResult) -> dict[str, str]:
    return {file.path.name: file.text for file in result.files if file.source}


@pytest.mark.usefixtures("packages")
def test_names_of_a_package_that_imports_torch_come_along() -> None:
    result = port_source("starred.model:Model")
    assert result.findings == ()
    found = texts(result)
    assert sorted(found) == ["core.py", "model.py", "settings.py"]
    assert "from .core import BINS" in found["model.py"]
    assert "from .settings import WIDTH" in found["model.py"]
    assert "nn.Dense(WIDTH, BINS)" in found["model.py"]
    assert "from .runtime.outputs import ModelOutput" in found["model.py"]
    assert "class Model(NamedOutputCell)" in found["model.py"]
    assert "BINS = 5" in found["core.py"]
    assert "RATE" not in found["core.py"]
    code = "".join(line for text in found.values() for line in text.splitlines() if "#" not in line)
    assert "torch" not in code
    assert "starred" not in code


@pytest.mark.usefixtures("packages")
def test_plain_python_of_a_package_without_torch_stays_there() -> None:
    found = texts(port_source("plain_package.model:Model"))
    assert sorted(found) == ["model.py"]
    assert "from plain_package.settings import WIDTH" in found["model.py"]


@pytest.mark.parametrize("suffix", ["", ":Model"])
def test_code_of_another_package_that_needs_torch_is_reported(suffix: str, packages: Path) -> None:
    source = packages / "lone.py"
    source.write_text(
        """\
import torch
from torch_layers import Drop, width
from torch_layers.plain import three


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = Drop()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(x) * width(x) * three()
""",
        encoding="utf-8",
    )
    findings = port_source(f"{source}{suffix}").findings
    assert [(item.code, item.position.line) for item in findings] == [("PRT101", 9), ("PRT101", 12)]
    assert findings[0].message == "no mapping for torch_layers.Drop"


def test_classes_of_transformers_come_along_with_a_lone_file(tmp_path: Path) -> None:
    source = tmp_path / "heads.py"
    source.write_text(
        """\
import torch
from transformers.models.bert.modeling_bert import BertLMPredictionHead


class Heads(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.predictions = BertLMPredictionHead(config)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.predictions(x)
""",
        encoding="utf-8",
    )
    result = port_source(f"{source}:Heads")
    assert [item for item in result.findings if item.code != "PRT404"] == []
    found = texts(result)
    assert sorted(found) == ["heads.py", "modeling_bert.py"]
    assert "from .modeling_bert import BertLMPredictionHead" in found["heads.py"]
    assert "class BertLMPredictionHead(nn.Cell)" in found["modeling_bert.py"]


def test_a_package_that_the_tables_follow_comes_along_whole(packages: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    (tables / "common.toml").write_text('[followed]\ntorch_layers = "Layers for others."\n')
    (packages / "user.py").write_text(
        "import torch\nfrom torch_layers import Drop, Kind, width\n"
        "from torch_layers.plain import three\n"
        "\n\nclass Model(torch.nn.Module):\n"
        "    def __init__(self, kind: Kind | None = None):\n        super().__init__()\n"
        "        self.drop = Drop()\n\n    def forward(self, x: torch.Tensor):\n"
        "        return self.drop(x) * width(x) * three()\n",
        encoding="utf-8",
    )
    result = port_source(f"{packages / 'user.py'}:Model", mappings_directory=tables)
    # What imports no torch itself does so through its package.
    assert texts(result).keys() == {"user.py", "layers.py", "plain.py"}
    assert "torch_layers" not in texts(result)["user.py"]
    assert result.findings == ()


def test_layers_of_timm_come_along() -> None:
    tables = load_mappings(None)
    assert tables.is_followed("timm.layers.drop.DropPath")
    assert not tables.is_external("timm.layers")
