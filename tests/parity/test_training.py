"""Compare the training mode, and spoil a port where only training shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from porter.emit.write import write_port
from porter.parity.compare_gradients import compare_gradients, compare_step
from porter.parity.results import ParityReport
from porter.parity.verify import verify
from porter.port import port_source
from porter.recipe import Recipe

HERE = Path(__file__).parent
SETTINGS: dict[str, Any] = {
    "modes": ["graph"],
    "syntax": ["STRICT"],
    "shapes": ["static"],
    "export": False,
}
CASES = [{"name": "rows", "inputs": {"x": {"randn": [512, 5]}}}]


@pytest.fixture
def check(make_recipe: Callable[..., Recipe], tmp_path: Path) -> Callable[..., ParityReport]:
    """Return a function that ports a class, replaces pieces of the port and verifies it."""

    def run(name: str, *replacements: tuple[str, str], **settings: Any) -> ParityReport:
        source = HERE / "training_source.py"
        changes = {"source": {"file": str(source), "class": name}, "build": {"args": [5]}}
        recipe = make_recipe(CASES, changes, **{**SETTINGS, **settings})
        port = write_port(port_source(recipe.source.reference), tmp_path / "port")
        path = port / "training_source.py"
        text = path.read_text()
        for old, new in replacements:
            assert old in text, text
            text = text.replace(old, new)
        path.write_text(text)
        return verify(recipe, port)

    return run


def test_dropout_is_compared_by_its_statistics(check: Callable[..., ParityReport]) -> None:
    report = check("Dropping")
    assert report.findings == ()
    (random,) = report.random
    rows = {(row.name, row.measure): row for row in random.rows}
    assert rows["dropout", "share of zeros"].torch == pytest.approx(0.3)
    assert rows["dropout", "scale"].port == pytest.approx(1 / 0.7, rel=1e-3)
    assert {row.name for row in random.rows} == {"dropout", "output"}
    kinds = [(run.kind, len(run.rows)) for run in report.gradients]
    assert kinds == [("gradients", 5), ("step", 4)]
    assert all(row.judged for row in report.gradients[1].rows)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        pytest.param("p=0.3", "p=0.7", "share of zeros", id="keep-for-drop"),
        pytest.param("nn.Dropout(p=0.3)", "nn.Identity()", "output", id="left-out"),
        pytest.param(
            "self.dropout(ops.relu(self.first(x)))",
            "self.dropout(ops.relu(self.first(x))) * 0.7",
            "output",
            id="scale-missing",
        ),
    ],
)
def test_a_wrong_dropout_is_found(
    check: Callable[..., ParityReport], old: str, new: str, what: str
) -> None:
    report = check("Dropping", (old, new), gradients=False)
    found = [finding for finding in report.findings if finding.code == "PRT614"]
    assert len(found) == 1
    assert any(what in f"{row.name} {row.measure}" for row in report.random[0].rows if row.code)


def test_a_port_without_randomness_is_found(check: Callable[..., ParityReport]) -> None:
    text = "x = self.dropout(ops.relu(self.first(x)))\n"
    report = check(
        "Dropping", (text, text + "        return self.second(ops.relu(self.first(x)))\n")
    )
    assert {finding.code for finding in report.findings} >= {"PRT614"}


def test_what_is_not_random_in_training_is_compared_by_value(
    check: Callable[..., ParityReport],
) -> None:
    report = check("Normed", gradients=False)
    assert report.findings == ()
    assert [run.label for run in report.runs] == ["graph STRICT static", "training STRICT static"]


def test_half_precision_is_judged_by_its_own_error(check: Callable[..., ParityReport]) -> None:
    both = {"dtypes": ["float32", "float16"], "gradients": False, "training": False}
    report = check("Normed", **both)
    assert report.findings == ()
    (row,) = report.runs[1].variants[0].outputs
    assert (row.dtype, row.rule) == ("float16", "float64")
    assert row.torch_error is not None
    assert row.torch_error > 1e-4
    assert report.largest_difference is not None
    assert report.largest_difference < 1e-5


def test_a_cast_that_is_left_in_the_port_is_found_in_half_precision(
    check: Callable[..., ParityReport],
) -> None:
    cast = ("self.first(x))", "self.first(x)).astype(ms.float32)")
    report = check("Normed", cast, dtypes=["float16"], gradients=False, training=False)
    assert {finding.code for finding in report.findings} == {"PRT602"}


ONE = np.array([1.0, -2.0, 3.0], dtype=np.float32)


def test_a_gradient_is_judged_by_torchs_own_error() -> None:
    errors = {"a": np.full(3, 1e-6, dtype=np.float32)}

    def code(off: float) -> str:
        port = {"a": (ONE + off).astype(np.float32)}
        (row,) = compare_gradients({"a": ONE}, port, errors=errors)
        return row.code

    assert code(2e-6) == ""
    assert code(1e-4) == "PRT610"


def test_a_gradient_of_noise_may_be_other_noise() -> None:
    expected = {"large": ONE, "noise": ONE * np.float32(1e-8)}
    errors = {"large": ONE * 0, "noise": ONE * np.float32(1e-8)}
    other = {"large": ONE, "noise": ONE * np.float32(-2e-8)}
    assert [row.code for row in compare_gradients(expected, other, errors=errors)] == ["", ""]
    wrong = {"large": ONE, "noise": ONE * np.float32(1e-4)}
    assert [row.code for row in compare_gradients(expected, wrong, errors=errors)] == ["", "PRT610"]


def test_a_step_of_noise_need_only_be_a_step() -> None:
    before = np.array([0.5, 0.5], dtype=np.float32)
    expected = {"a": before - np.float32(1e-3) * np.array([1, 1], dtype=np.float32)}
    gradients = {"a": np.array([1.0, 1e-9], dtype=np.float32)}
    errors = {"a": np.zeros(2, dtype=np.float32)}
    rows = compare_gradients(gradients, gradients, errors=errors)

    def judge(step: list[float]) -> tuple[str, int]:
        port = {"a": (before - np.array(step)).astype(np.float32)}
        (row,) = compare_step(expected, port, errors, gradients, rows, length=1e-3)
        return row.code, row.judged

    assert judge([1e-3, 1e-3]) == ("", 1)
    assert judge([1e-3, -1e-3]) == ("", 1)
    assert judge([1e-3, -2e-3])[0] == "PRT610"
    assert judge([1.01e-3, 1e-3])[0] == "PRT610"
    assert judge([-1e-3, 1e-3])[0] == "PRT610"
