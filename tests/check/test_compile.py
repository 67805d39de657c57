"""Run `porter compile` and `porter explain` as their user does."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from porter.cli import main

NET = """import mindspore as ms
import numpy as np
from mindspore import Tensor, nn


class Net(nn.Cell):
    def __init__(self, width, scale=1):
        super().__init__()
        self.dense = nn.Dense(width, width)
        self.scale = scale

    def construct(self, x: Tensor, mask=None):
        mask = Tensor(np.ones(x.shape), ms.float32) if mask is None else mask
        return self.dense(x) * mask * self.scale


def broken():
    return 3
"""


@pytest.fixture
def net(in_folder: Path) -> Path:
    path = in_folder / "own_net.py"
    path.write_text(NET)
    return path


def compiled(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["compile", *arguments, "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    return code, {f"{row['syntax']}/{row['shapes']}": row for row in data["ways"]}


def test_each_way_is_tried_and_a_failure_is_explained(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, ways = compiled(
        capsys, "own_net.py:Net", "--args", "8, scale=2", "--inputs", "float32[batch:2, 8]"
    )
    assert code == 1
    assert [way for way, row in ways.items() if not row["ok"]] == ["STRICT/dynamic"]
    assert ways["LAX/dynamic"]["graphs"] == 1
    failed = ways["STRICT/dynamic"]
    assert failed["code"] == "PRT606"
    assert failed["messages"] == ["inputs-should-be-constant"]
    assert [(item["code"], item["line"]) for item in failed["findings"]] == [("PRT301", 13)]
    assert failed["places"][0]["line"] == 13


def test_inputs_by_name_and_a_dotted_module(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = "float32[batch:2, 8], mask=float32[batch:2, 8]"
    arguments = ["own_net:Net", "--args", "8", "--inputs", spec, "--way", "STRICT/dynamic"]
    assert main(["compile", *arguments]) == 0
    out = capsys.readouterr().out
    assert out.startswith("STRICT dynamic  compiled in ")
    assert out.endswith(", 1 graph\n")


@pytest.mark.parametrize(
    ("target", "code", "said"),
    [
        ("own_net.py:broken", "PRT704", "gives no Cell but int"),
        ("own_net.py:Missing", "PRT704", "has no Missing"),
        ("own_net.py", "PRT704", "must read module:Class"),
        ("no_such_module:Net", "PRT705", "cannot import no_such_module"),
    ],
)
def test_what_cannot_be_made_is_one_line(
    net: Path, capsys: pytest.CaptureFixture[str], target: str, code: str, said: str
) -> None:
    assert main(["compile", target, "--inputs", "float32[2, 8]"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{code} ")
    assert said in captured.err


def test_explain_reads_standard_input_and_says_what_it_does_not_know(
    in_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("RuntimeError: Unsupported statement 'Try'.\n"))
    assert main(["explain", "-"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("unsupported-statement: RuntimeError: Unsupported statement 'Try'.")
    assert "PRT305" in out
    (in_folder / "log.txt").write_text("ValueError: quite new\n")
    assert main(["explain", "log.txt"]) == 1
    assert "no known message" in capsys.readouterr().out
    assert main(["explain", "missing.txt"]) == 2
    assert capsys.readouterr().err.startswith("PRT804 ")
