"""Run a recipe in one step, and sum up what was found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from safetensors.numpy import load_file

from porter.recipe import Recipe
from porter.run import print_run, run_recipe
from porter.types import PorterError

SETTINGS: dict[str, Any] = {"modes": ["graph"], "syntax": ["STRICT"], "shapes": ["static"]}
NAMED: dict[str, Any] = {
    "source": {"file": "tiny_source.py", "class": "Named"},
    "build": {"args": [4]},
}
CASES = [{"inputs": {"x": {"randn": [2, 5, 4]}}}]


def test_a_run_ports_converts_and_verifies(
    make_recipe: Callable[..., Recipe], tmp_path: Path
) -> None:
    report = run_recipe(make_recipe(CASES, NAMED, **SETTINGS), tmp_path / "out")
    assert report.parity.findings == ()
    assert report.passed
    assert report.exit_code == 0
    assert [stage.stage for stage in report.stages] == [
        "port",
        "weights",
        "outputs",
        "export",
        "gradients",
        "parity",
    ]
    assert report.weights == tmp_path / "out" / "weights.safetensors"
    assert load_file(report.weights)["project.weight"].shape == (3, 4)
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert data["passed"] is True
    assert data["parity"]["compared"] == 2
    console = Console(width=160, record=True)
    print_run(report, console)
    text = console.export_text()
    assert "parity holds: 2 outputs, 3 gradients and 2 parameters after a step compared" in text
    assert f"weights: {report.weights}" in text


def test_a_run_that_fails_says_so(make_recipe: Callable[..., Recipe], tmp_path: Path) -> None:
    cases = [{"inputs": {"x": {"randn": [2, 5, 3]}}}]
    report = run_recipe(make_recipe(cases, NAMED, **SETTINGS), tmp_path / "out")
    assert not report.passed
    assert report.exit_code == 1
    assert {finding.code for finding in report.parity.findings} == {"PRT609"}
    verdicts = {stage.stage: stage.passed for stage in report.stages}
    assert verdicts["port"]
    assert not verdicts["outputs"]
    assert not verdicts["parity"]


def test_wrong_usage_writes_nothing(make_recipe: Callable[..., Recipe], tmp_path: Path) -> None:
    with pytest.raises(PorterError, match="no case other"):
        run_recipe(make_recipe(CASES, NAMED), tmp_path / "out", cases=["other"])
    assert not (tmp_path / "out").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("")
    with pytest.raises(PorterError) as error:
        run_recipe(make_recipe(CASES, NAMED), tmp_path / "mine")
    assert error.value.code == "PRT401"
