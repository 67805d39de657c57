"""Run the command line in processes of its own: what it imports, and what it does to pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("mindspore", "numpy", "safetensors", "torch", "transformers")
IMPORTS = f"""
import sys
from porter.cli import main
code = main(sys.argv[1:])
heavy = sorted(set({HEAVY!r}) & set(sys.modules))
sys.exit(f"imported {{heavy}}" if heavy else code)
"""
SOURCE = """\
import torch


def activate(x: torch.Tensor):
    return torch.relu(x)
"""


def environment(repository: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(repository)}


def porter(
    *arguments: str, repository: Path, folder: Path, script: str | None = None
) -> subprocess.CompletedProcess[str]:
    start = ["-m", "porter"] if script is None else ["-c", script]
    return subprocess.run(
        [sys.executable, *start, *arguments],
        cwd=folder,
        env=environment(repository),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", [("rule",), ("rule", "PRT203"), ("--help",)])
def test_looking_things_up_imports_no_framework(
    repository: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = porter(*arguments, repository=repository, folder=tmp_path, script=IMPORTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("options", [("-o", "out"), ("--check",), ("--diff",)])
def test_porting_imports_no_framework(
    repository: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "model.py").write_text(SOURCE)
    done = porter(
        "port", "model.py", *options, repository=repository, folder=tmp_path, script=IMPORTS
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("sites applied, 0 to review, 0 manual\n")


def test_a_reader_that_leaves_is_no_error(repository: Path, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "porter", "rule"],
        cwd=tmp_path,
        env=environment(repository),
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_an_unknown_option_is_one_line(repository: Path, tmp_path: Path) -> None:
    done = porter("rule", "--colour", repository=repository, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "porter rule: No such option: --colour (see porter rule --help)\n"
