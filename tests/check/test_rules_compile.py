"""Hold every rule to the compiler: its failing example fails as stated, its other one is right."""

from __future__ import annotations

from typing import Any

import pytest

from tests.check.pages import ALL_MODES, Pair, compile_pages, holds, pairs

PAIRS = pairs()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return compile_pages(tmp_path_factory.mktemp("examples"))


def test_there_are_rules() -> None:
    assert len(PAIRS) > 40


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_the_found_code_is_wrong_as_the_page_says(
    reports: dict[str, dict[str, Any]], pair: Pair
) -> None:
    report = reports[pair.code]
    assert holds(pair, report), report["bad"]
    assert "2.10" in pair.versions


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_what_takes_its_place_is_right_in_every_mode(
    reports: dict[str, dict[str, Any]], pair: Pair
) -> None:
    report = reports[pair.code]
    good = report["good"]
    for mode in ALL_MODES:
        assert "error" not in good[mode], (mode, good[mode])
        assert good[mode]["compilations"] == 1, (mode, good[mode])
        if pair.good_verb != "compiles":
            assert good[mode]["same"], (mode, good[mode])
    if pair.good_verb in ("works", "fixed") and pair.bad_verb != "breaks":
        assert report["agree"], report
