"""Hold the examples of the pages to the checker: what it finds in them, and what --fix writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.check.checker import check_files
from porter.check.fix import fixed_text
from tests.check.pages import BAD, GOOD, Pair, pairs

PAIRS = pairs()


def found(text: str, folder: Path, code: str) -> list[tuple[str, int]]:
    path = folder / "net.py"
    path.write_text(text, "utf-8")
    problems = check_files([path], [code]).problems
    return [(item.finding.code, item.finding.position.line) for item in problems]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_the_marked_lines_are_found_and_no_others(pair: Pair, tmp_path: Path) -> None:
    assert pair.bad_verb in BAD
    assert pair.good_verb in GOOD
    assert pair.code in {code for code, _ in pair.marks}
    assert found(pair.bad, tmp_path, pair.code) == pair.marks


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.code)
def test_nothing_is_found_in_what_takes_its_place(pair: Pair, tmp_path: Path) -> None:
    assert found(pair.good, tmp_path, pair.code) == []


@pytest.mark.parametrize(
    "pair", [pair for pair in PAIRS if pair.good_verb == "fixed"], ids=lambda pair: pair.code
)
def test_fix_writes_what_the_page_shows(pair: Pair, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    assert fixed_text(pair.unmarked, path, (), ()) == pair.good
    assert fixed_text(pair.good, path, (), ()) == pair.good
