"""Train both sides by the source's function, and spoil a port where only later steps show it."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from porter.build import needed
from porter.emit.write import write_port
from porter.parity.loss_plot import loss_svg
from porter.parity.losses import CANDIDATE_TASK, REFERENCE_TASK, Training, loss_run
from porter.parity.results import LossRun, ParityReport
from porter.parity.verify import verify
from porter.parity.worker import Outcome
from porter.port import port_source
from porter.recipe import Recipe
from porter.types import PorterError

HERE = Path(__file__).parent
INPUTS = {"rows": {"randn": [24, 4]}, "labels": {"ids": [24], "high": 3}}
SETTINGS: dict[str, Any] = {
    "modes": ["graph"],
    "syntax": ["STRICT"],
    "shapes": ["static"],
    "gradients": False,
    "training": False,
    "export": False,
}
CASES = [{"name": "rows", "inputs": {"x": {"randn": [2, 4]}}}]


@pytest.fixture
def train(make_recipe: Callable[..., Recipe], tmp_path: Path) -> Callable[..., ParityReport]:
    """Return a function that ports the model, replaces pieces of the port and trains both."""

    def run(*replacements: tuple[str, str], function: str = "fit") -> ParityReport:
        changes = {
            "source": {"file": str(HERE / "losses_source.py"), "class": "Small"},
            "build": {},
            "training": {"function": function, "inputs": INPUTS},
        }
        recipe = make_recipe(CASES, changes, **SETTINGS)
        made = port_source(recipe.source.reference, also=needed(recipe))
        port = write_port(made, tmp_path / "port")
        path = port / "losses_source.py"
        text = path.read_text()
        for old, new in replacements:
            assert old in text, text
            text = text.replace(old, new)
        path.write_text(text)
        return verify(recipe, port)

    return run


def test_the_losses_of_both_sides_are_compared(train: Callable[..., ParityReport]) -> None:
    report = train()
    assert report.findings == ()
    (run,) = report.losses
    assert len(run.torch) == len(run.port) == 6
    assert run.largest is not None
    assert run.largest < 1e-5
    assert len(set(run.torch)) == 6


@pytest.mark.parametrize(
    ("old", "new", "step"),
    [
        pytest.param("scheduler.step()", "pass", 3, id="schedule"),
        pytest.param("clipped_by_norm(gradients, 0.5)", "(gradients, 0)", 6, id="clipping"),
        pytest.param("lr=0.02", "lr=0.05", 2, id="rate"),
    ],
)
def test_a_wrong_training_is_found(
    train: Callable[..., ParityReport], old: str, new: str, step: int
) -> None:
    report = train((old, new))
    (finding,) = report.findings
    assert finding.code == "PRT616"
    assert f"step {step} of 6 is the first that differs" in finding.message


def test_a_function_that_returns_no_losses_is_refused(train: Callable[..., ParityReport]) -> None:
    (finding,) = train(function="silent").findings
    assert finding.code == "PRT703"
    assert "silent must return the loss of each step, not NoneType" in finding.message


@pytest.mark.parametrize(
    ("section", "code"),
    [
        pytest.param({}, "PRT703", id="no-function"),
        pytest.param({"function": "a.b"}, "PRT703", id="no-name"),
        pytest.param({"function": "f", "inputs": {"x": {"randm": [1]}}}, "PRT703", id="input"),
        pytest.param({"function": "f", "steps": 5}, "PRT702", id="unknown-key"),
    ],
)
def test_a_section_that_cannot_be_is_refused(
    make_recipe: Callable[..., Recipe], section: dict[str, Any], code: str
) -> None:
    with pytest.raises(PorterError) as caught:
        make_recipe(CASES, {"training": section})
    assert caught.value.code == code


def compared(torch: list[float], port: list[float]) -> LossRun:
    outcomes = {
        name: Outcome(name, "", "", {"losses": losses})
        for name, losses in ((REFERENCE_TASK, torch), (CANDIDATE_TASK, port))
    }
    run = loss_run(Training("train", {}, 1e-3), outcomes)
    assert run is not None
    return run


@pytest.mark.parametrize(
    ("port", "message"),
    [
        pytest.param([2.0, 1.0009], "", id="near"),
        pytest.param([2.0, 1.0011], "step 2 of 2", id="off"),
        pytest.param([2.0, math.nan], "step 2 of 2", id="nan"),
        pytest.param([2.0], "1 losses, PyTorch has 2", id="fewer"),
    ],
)
def test_losses_are_judged_step_by_step(port: list[float], message: str) -> None:
    run = compared([2.0, 1.0], port)
    assert run.message.startswith(message)
    assert run.code == ("PRT616" if message else "")


def test_the_drawing_has_a_point_for_each_step() -> None:
    root = ElementTree.fromstring(loss_svg(compared([3.0, 2.0, 1.0], [3.0, math.nan, 1.00001])))
    lines = [
        element.attrib["points"].split() for element in root.iter() if "points" in element.attrib
    ]
    assert [len(points) for points in lines] == [3, 2, 1]
    assert lines[0][0] == lines[1][0]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_equal_losses_are_drawn_without_a_limit_too() -> None:
    run = replace(compared([1.0, 1.0], [1.0, 1.0]), tolerance=0.0)
    text = loss_svg(run, inside=True)
    assert "stroke-dasharray" not in text
    assert "xmlns" not in text
