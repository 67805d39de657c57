"""Hold every rule to the compiler: its failing example fails as stated, its other one is right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from porter.parity.worker import Outcome, run_tasks
from tests.check.pages import ALL_MODES, Pair, pairs

PAIRS = pairs()
TIME_LIMIT = 180


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Compile all examples in worker processes; a crash of one is its result."""
    root = tmp_path_factory.mktemp("examples")
    for pair in PAIRS:
        folder = root / pair.code
        folder.mkdir()
        (folder / "good.py").write_text(pair.good, "utf-8")
        (folder / "bad.py").write_text(pair.bad, "utf-8")
        job = {"good": ALL_MODES, "bad": [pair.mode]}
        (folder / "job.json").write_text(json.dumps(job), "utf-8")
    return run_tasks(
        "tests.check.example_worker",
        root,
        ["start", *(pair.code for pair in PAIRS)],
        time_limit=TIME_LIMIT,
        progress=lambda _task: None,
        crash_code="PRT608",
    )


def report_of(reports: dict[str, Outcome], pair: Pair) -> dict[str, Any]:
    outcome = reports[pair.code]
    assert outcome.ok, outcome.message
    return outcome.data


def test_there_are_rules() -> None:
    assert len(PAIRS) > 40


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_the_found_code_is_wrong_as_the_page_says(reports: dict[str, Outcome], pair: Pair) -> None:
    report = report_of(reports, pair)
    pynative, graph = report["bad"]["pynative"], report["bad"][pair.mode]
    if pair.bad_verb == "breaks":
        assert "error" in pynative
        assert "error" in graph
        return
    assert "error" not in pynative, pynative
    if pair.bad_verb == "fails":
        assert "error" in graph, graph
    elif pair.bad_verb == "differs":
        assert graph.get("same") is False, graph
    elif pair.bad_verb == "misleads":
        assert graph.get("same") is True, graph
        assert report["agree"] is False
    else:
        assert graph.get("compilations", 0) > 1, graph


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_what_takes_its_place_is_right_in_every_mode(
    reports: dict[str, Outcome], pair: Pair
) -> None:
    report = report_of(reports, pair)
    good = report["good"]
    for mode in ALL_MODES:
        assert "error" not in good[mode], (mode, good[mode])
        assert good[mode]["compilations"] == 1, (mode, good[mode])
        if pair.good_verb != "compiles":
            assert good[mode]["same"], (mode, good[mode])
    if pair.good_verb in ("works", "fixed"):
        assert report["agree"], report
