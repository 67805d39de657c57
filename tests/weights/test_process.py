"""Test what surrounds a conversion: the process that builds the Cell, progress, imports."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from porter.types import PorterError
from porter.weights.describe import CellReference, describe_cell
from tests.weights.plain import ROOT, write_shards

NETWORK = """
import os

import mindspore as ms
import numpy as np
from mindspore import nn


class Large(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(100_000, 100_000, has_bias=False)
        self.mask = ms.Tensor(np.arange(3, dtype=np.float32))
        print("printed by the model")


class Crash(nn.Cell):
    def __init__(self):
        super().__init__()
        os.abort()
"""


def test_a_cell_larger_than_memory_is_described(folder: Path) -> None:
    (folder / "net.py").write_text(NETWORK)
    names = describe_cell(CellReference("net.py:Large"), ["first.weight", "mask", "other"])
    (parameter,) = names.parameters
    assert (parameter.key, parameter.shape) == ("first.weight", (100_000, 100_000))
    assert {name: value.tolist() for name, (value, _) in names.constants.items()} == {
        "mask": [0.0, 1.0, 2.0]
    }


def test_what_the_model_prints_does_not_reach_stdout(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "net.py").write_text(NETWORK)
    describe_cell(CellReference("net.py:Large"), [])
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "printed by the model" in captured.err


def test_a_cell_that_ends_the_process_is_an_error(folder: Path) -> None:
    (folder / "net.py").write_text(NETWORK)
    with pytest.raises(PorterError, match="ended with the signal SIGABRT") as caught:
        describe_cell(CellReference("net.py:Crash"), [])
    assert caught.value.code == "PRT704"


def test_the_process_that_converts_imports_no_framework(folder: Path) -> None:
    write_shards(folder / "in")
    code = (
        "import sys\n"
        "from porter.cli import main\n"
        "assert main(['weights', 'in', '-o', 'out', '--infer']) == 0\n"
        "assert not {'torch', 'mindspore', 'transformers'} & set(sys.modules)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_progress_is_shown_on_a_terminal(folder: Path) -> None:
    write_shards(folder / "in", 3, 500_000)
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "porter", "weights", "in", "-o", "out", "--infer"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "120"}
    run = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=follower, close_fds=True
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the terminal is gone with its last process
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert run.wait() == 0
    text = shown.decode()
    assert "Converting" in text
    assert "24.0 MB" in text  # written once, and compared once
    assert "0:00:0" in text
