"""Take the branches that a port takes: for packages and names of torch that it has or lacks."""

# ruff: noqa: E501

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porter.port import port_source
from porter.types import PortResult

HEAD = """\
import importlib.util

import torch
from torch import nn

"""
MODEL = """

class Model(nn.Module):
    def forward(self, x: torch.Tensor):
"""


def ported(tmp_path: Path, top: str, body: str) -> tuple[str, PortResult]:
    path = tmp_path / "model.py"
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    path.write_text(f"{HEAD}{top}{MODEL}{lines}\n", encoding="utf-8")
    result = port_source(f"{path}:Model")
    return result.files[0].text, result


@pytest.mark.parametrize(
    ("top", "test"),
    [
        ("try:\n    import xformers\n    has = True\nexcept ImportError:\n    has = False\n", "has"),
        ("try:\n    import xformers\nexcept ImportError:\n    xformers = None\n", "xformers is not None"),
        ("has = hasattr(torch, 'no_such_function')\n", "has and len(x) > 1"),
        ("has = importlib.util.find_spec('xformers') is not None\n", "has"),
        ("def has():\n    return importlib.util.find_spec('triton') is not None\n", "has()"),
        ("if hasattr(nn, 'Nothing'):\n    has = True\nelse:\n    has = False\n", "has"),
        ("try:\n    from torch import no_such\n    has = True\nexcept (ImportError, OSError):\n    has = False\n", "has"),
    ],
)  # fmt: skip
def test_a_branch_for_what_is_not_there_goes(tmp_path: Path, top: str, test: str) -> None:
    text, result = ported(tmp_path, top, f"if {test}:\n    x = torch.no_such(x)\nreturn x")
    assert not [item for item in result.findings if item.severity.value == "error"]
    assert "no_such" not in text
    assert "xformers" not in text.replace("xformers = None", "")


@pytest.mark.parametrize(
    ("top", "test"),
    [
        ("USE = False\n", "USE"),
        ("USE = False\n\n\ndef switch():\n    global USE\n    USE = True\n", "USE"),
        ("try:\n    import json\n    has = True\nexcept ImportError:\n    has = False\n", "has"),
        ("def failing():\n    raise ValueError\n\n\ntry:\n    has = failing()\nexcept ValueError:\n    has = False\n", "has"),
    ],
)  # fmt: skip
def test_a_switch_of_the_source_stays(tmp_path: Path, top: str, test: str) -> None:
    text, _ = ported(tmp_path, top, f"if {test}:\n    x = x * 2.0\nreturn x")
    assert f"if {test}:" in text
    compile(text, "model", "exec")
    assert f"{test} = False" in text  # whatever branch binds it came along


def test_a_raising_branch_is_not_taken(tmp_path: Path) -> None:
    top = (
        "try:\n    import xformers\nexcept ImportError as error:\n    raise ValueError from error\n"
    )
    text, _ = ported(tmp_path, top, "return xformers.run(x)")
    assert "raise ValueError" in text


def test_what_changes_a_table_comes_along(tmp_path: Path) -> None:
    top = 'TABLE = {"a": 1}\nTABLE["b"] = 2\nTABLE.update(c=3)\nfor name in "de":\n    TABLE[name] = 4\n'
    text, _ = ported(tmp_path, top + "OTHER = {}\nOTHER['a'] = 1\n", 'return x * TABLE["d"]')
    assert 'TABLE["b"] = 2' in text
    assert "TABLE.update(c=3)" in text
    assert "    TABLE[name] = 4" in text
    assert "OTHER" not in text


def test_a_definition_in_a_branch_comes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "branched"
    package.mkdir()
    (package / "__init__.py").write_text("from .layers import *\n")
    (package / "layers.py").write_text(
        "import sys\n\nimport torch\n\nif sys.maxsize > 0:\n\n    def twice(x):\n        return torch.mul(x, 2)\n"
        "\nelse:\n\n    def twice(x):\n        return x\n"
    )
    (package / "model.py").write_text(
        "import torch\nfrom .layers import twice\n\n\nclass Model(torch.nn.Module):\n"
        "    def forward(self, x: torch.Tensor):\n        return twice(x)\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    files = {item.path.name: item.text for item in port_source("branched.model:Model").files}
    assert "def twice(x):" in files["layers.py"]
    assert "if sys.maxsize > 0:" in files["layers.py"]


def test_a_class_that_the_constructor_is_given_comes_along(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        "from torch import nn\n\n\nclass Block(nn.Module):\n    def forward(self, x):\n        return x\n"
        "\n\nclass Model(nn.Module):\n    def __init__(self, block):\n        super().__init__()\n"
        "        self.block = block()\n\n    def forward(self, x):\n        return self.block(x)\n"
    )
    assert "class Block" not in port_source(f"{path}:Model").files[0].text
    text = port_source(f"{path}:Model", also=["model:Block", "torch:float32"]).files[0].text
    assert "class Block(nn.Cell):" in text


def test_the_method_that_makes_the_class_comes_along(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        "import torch\nfrom torch import nn\n\n\nclass Model(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "        self.layer = nn.Linear(width, width)\n\n    @classmethod\n    def of(cls, width):\n        model = cls(width)\n"
        "        model._widen(2)\n        return model\n\n    def _widen(self, factor):\n        self.factor = factor\n\n"
        "    def forward(self, x: torch.Tensor):\n        return self.layer(x)\n\n    def draw(self):\n        return torch.no_such()\n"
    )
    result = port_source(f"{path}:Model", also=["model:Model.of"])
    assert "model._widen(2)" in result.files[0].text
    assert {item.code for item in result.findings} == {"PRT216"}
