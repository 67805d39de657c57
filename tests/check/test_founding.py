"""Mend the founding case from end to end: found, mended, compiled with dynamic shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porter.check.checker import check_files
from porter.check.fix import fixed_text
from tests.check.pages import ALL_MODES, run_jobs, write_job

HERE = Path(__file__).parents[1] / "cases" / "check"
BEFORE = (HERE / "founding.before.py").read_text("utf-8")
AFTER = (HERE / "founding.after.py").read_text("utf-8")
INPUTS = "# inputs: float32[batch:2, tokens:5, 8]\n# inputs: float32[batch:3, tokens:7, 8]\n"


def test_every_tensor_made_by_numpy_is_found() -> None:
    checked = check_files([HERE / "founding.before.py"])
    lines = BEFORE.splitlines()
    expected = [number for number, line in enumerate(lines, 1) if "ensor(" in line]
    found = [(item.finding.code, item.finding.position.line) for item in checked.problems]
    assert found == [("PRT301", number) for number in expected]
    assert len(expected) == 5


def test_mending_gives_the_text_that_stands_beside_it() -> None:
    assert fixed_text(BEFORE, HERE / "founding.before.py", (), ()) == AFTER


def test_mending_twice_changes_nothing() -> None:
    assert fixed_text(AFTER, HERE / "founding.after.py", (), ()) == AFTER
    assert check_files([HERE / "founding.after.py"]).problems == ()


def test_numpy_goes_and_the_comments_stay() -> None:
    assert "np." not in AFTER
    assert "import numpy" not in AFTER
    comments = [line.partition("#")[2] for line in BEFORE.splitlines() if "#" in line]
    assert comments
    assert [text for text in comments if text not in AFTER] == []


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("founding")
    texts = {"good": INPUTS + AFTER, "bad": INPUTS + BEFORE}
    write_job(root / "founding", texts, {"good": ALL_MODES, "bad": ALL_MODES})
    return run_jobs(root)["founding"]


def test_the_model_fails_with_dynamic_shapes_at_both_levels(report: dict[str, Any]) -> None:
    before = report["bad"]
    assert "error" not in before["pynative"]
    assert "inputs should be constant" in before["STRICT/dynamic"]["error"]
    assert "error" in before["LAX/dynamic"]


@pytest.mark.parametrize("mode", ALL_MODES)
def test_the_mended_model_compiles_and_gives_the_values_of_pynative(
    report: dict[str, Any], mode: str
) -> None:
    after = report["good"]
    assert after[mode].get("same") is True, after[mode]
    assert report["agree"]


def test_one_graph_serves_all_dynamic_shapes(report: dict[str, Any]) -> None:
    assert report["good"]["STRICT/dynamic"]["compilations"] == 1
