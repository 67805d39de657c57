"""Install the wheel with its core dependencies alone, and port one file with it."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SOURCE = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(3, 4)

    def forward(self, x: torch.Tensor):
        return torch.relu(self.dense(x))
"""


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip")
    built = run(*pip, "wheel", "-q", "--no-deps", "--wheel-dir", folder, repository, folder=folder)
    assert built.returncode == 0, built.stderr
    [path] = folder.glob("*.whl")
    return path


@pytest.mark.slow
def test_the_wheel_holds_data_and_no_tests(wheel: Path, repository: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, place in (("mappings", "porter/_mappings"), ("porter", "porter")):
        files = [path for path in (repository / folder).rglob("*") if path.is_file()]
        kept = {
            f"{place}/{path.relative_to(repository / folder).as_posix()}"
            for path in files
            if path.suffix in {".j2", ".py", ".md", ".toml", ".json", ".typed"}
        }
        assert kept
        assert kept - names == set()
    assert [name for name in names if name.startswith(("tests/", "examples/"))] == []


@pytest.mark.slow
def test_the_wheel_ports_without_a_framework(wheel: Path, tmp_path: Path) -> None:
    assert run(sys.executable, "-m", "venv", "env", folder=tmp_path).returncode == 0
    python = tmp_path / "env" / "bin" / "python"
    installed = run(python, "-m", "pip", "install", "-q", wheel, folder=tmp_path)
    assert installed.returncode == 0, installed.stderr
    for framework in ("torch", "mindspore", "transformers"):
        assert run(python, "-c", f"import {framework}", folder=tmp_path).returncode == 1
    (tmp_path / "model.py").write_text(SOURCE)
    porter = tmp_path / "env" / "bin" / "porter"
    ported = run(porter, "port", "model.py:Block", "-o", "out", folder=tmp_path)
    assert (ported.returncode, ported.stdout) == (0, ""), ported.stderr
    text = (tmp_path / "out" / "model.py").read_text()
    assert "nn.Dense(3, 4" in text
    assert "torch" not in text.replace("PyTorch", "")
    assert json.loads((tmp_path / "out" / "port.json").read_text())["class"] == "Block"
    page = run(porter, "rule", "PRT203", folder=tmp_path)
    assert page.stdout.startswith("# in-place-rewritten (PRT203)")
