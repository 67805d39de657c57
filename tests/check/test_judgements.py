"""Hold the checker to what was judged of its findings in an installed package of models.

The package is that of judgements.tsv; where it is not installed, PORTER_MINDONE can name a folder
that holds it. Nothing of it is imported.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.check.rule import ClassContext, Context, Hit
from porter.source.read import locate_module
from tests.check.judging import Judgement, Place, compiled, found, judgements

VERSION = "0.5.0"
ROWS = judgements()
GOAL = 0.95
TRIES = 3  # what len gives of a dynamic shape is no value at all, and right by chance


@pytest.fixture(scope="module")
def places() -> dict[Place, tuple[Context | ClassContext, Hit]]:
    named = os.environ.get("PORTER_MINDONE")
    module = locate_module("mindone")
    root = Path(named) if named else module.parents[1] if module is not None else None
    if root is None or not (root / f"mindone-{VERSION}.dist-info").is_dir():
        pytest.skip(f"mindone {VERSION} is not installed")
    inside = found(root / "mindone")
    return {(f"mindone/{path}", line, code): hit for (path, line, code), hit in inside.items()}


def missing(places: dict[Place, tuple[Context | ClassContext, Hit]], verdict: str) -> list[Place]:
    rows = [row.place for row in ROWS if row.verdict == verdict]
    assert rows
    return [place for place in rows if place not in places]


def fresh() -> list[Judgement]:
    """Return what was drawn after the last change of a rule."""
    return [row for row in ROWS if row.note.startswith("fresh")]


def test_precision_is_what_is_asked_for() -> None:
    assert len(fresh()) >= 100
    right = sum(row.verdict == "right" for row in fresh())
    assert right / len(fresh()) >= GOAL


@pytest.mark.slow
def test_what_was_judged_right_is_found(
    places: dict[Place, tuple[Context | ClassContext, Hit]],
) -> None:
    assert missing(places, "right") == []


@pytest.mark.slow
def test_false_alarms_that_were_mended_stay_away(
    places: dict[Place, tuple[Context | ClassContext, Hit]],
) -> None:
    mended = [row.place for row in ROWS if row.verdict == "mended"]
    assert mended
    assert [place for place in mended if place in places] == []


@pytest.mark.slow
@pytest.mark.xfail(strict=True, reason="values of arguments and wrong annotations are not followed")
def test_false_alarms_that_are_left_are_known(
    places: dict[Place, tuple[Context | ClassContext, Hit]],
) -> None:
    wrong = [row.place for row in ROWS if row.verdict == "wrong"]
    assert [place for place in wrong if place in places] == []


@pytest.mark.slow
def test_the_compiler_confirms_what_was_judged_by_it(
    places: dict[Place, tuple[Context | ClassContext, Hit]], tmp_path: Path
) -> None:
    left = [row.place for row in fresh() if row.verdict == "right" and row.how == "compiled"]
    assert len(left) > 100
    for attempt in range(TRIES):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        confirmed = compiled(places, left, folder)
        left = [place for place in left if not confirmed.get(place)]
        if not left:
            break
    assert left == []
