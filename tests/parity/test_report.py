"""Read the tables of the terminal as a person does."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from porter.parity.report import location_text, print_report, verdict_line
from porter.parity.results import GradientRow, GradientRun, Location, ParityReport
from tests.parity.report_samples import (
    HOSTILE,
    bare_report,
    failing_report,
    passing_report,
)


def printed(report: ParityReport) -> str:
    console = Console(file=io.StringIO(), width=160)
    print_report(report, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def cells(text: str, title: str) -> list[list[str]]:
    """Return the rows of one table, without its header."""
    lines = text.splitlines()
    lines = lines[[line.strip() for line in lines].index(title) :]
    body = next(number for number, line in enumerate(lines) if line.startswith("┡")) + 1
    end = next(number for number, line in enumerate(lines) if line.startswith("└"))
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines[body:end]]


def test_a_report_shows_each_kind_of_row() -> None:
    text = printed(passing_report())
    assert cells(text, "Outputs")[0] == [
        *("queries", "graph STRICT static", "last_hidden_state", "2 3 1", "float32"),
        *("1e-07", "5e-08", "1e-07", "1e-05", "0.01", "ok", "float64"),
    ]
    assert cells(text, "Training step")[0] == [
        *("queries", "layer.3.weight", "0.5", "3e-07", "1e-05", "ok")
    ]
    assert cells(text, "Random values") == [
        ["queries", "dropout", "share of zeros", "32", "0.1", "0.102", "0.01", "ok"]
    ]
    assert cells(text, "Modules") == [["queries", "graph", "12", "11", "0", "ok"]]
    assert cells(text, "Sides") == [["torch", "12.5", "900"], ["mindspore", "40.0", "2,100"]]


def test_gradients_and_the_training_step_are_tables_of_their_own() -> None:
    text = printed(passing_report())
    gradients = cells(text, "Gradients")
    # The nearest to failing first, and only a few of those that hold.
    assert [row[1] for row in gradients] == [
        *(f"layer.{number}.weight" for number in (11, 10, 9, 8, 7)),
        "6 more hold",
    ]
    assert [row[1] for row in cells(text, "Training step")] == [
        f"layer.{number}.weight" for number in (3, 2, 1)
    ]


def test_what_fails_shows_its_code_in_every_table() -> None:
    text = printed(failing_report())
    expected = {
        "Outputs": ["PRT603"],
        "Runs": ["PRT603", "PRT606"],
        "Gradients": ["PRT606", "PRT610"],
        "Training step": ["PRT610"],
        "Random values": ["PRT603", "PRT606"],
        "Modules": ["PRT603", "PRT606"],
    }
    for title, codes in expected.items():
        shown = {cell for row in cells(text, title) for cell in row if cell.startswith("PRT")}
        assert sorted(shown) == codes, title


def test_a_run_that_failed_after_good_rows_says_so() -> None:
    report = passing_report()
    spoilt = replace(report.gradients[0], code="PRT606")
    rows = cells(printed(replace(report, gradients=(spoilt,))), "Gradients")
    assert rows[0] == ["queries", "", "", "", "", "PRT606"]
    assert rows[1][1] == "layer.11.weight"


def test_the_located_fault_is_told_with_both_lines() -> None:
    lines = printed(failing_report()).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("located: "))
    assert lines[start].startswith(
        "located: queries, graph: encoder.layer.5 (Layer, call 0) is the first module whose inputs"
    )
    text = "\n".join(lines[start:])
    assert f"\n  off by 0.01 {HOSTILE}\n" in text
    assert f"\n  port   out/bert.py:40: return x + 1  # {HOSTILE}\n" in text
    assert "\n  source models/bert.py:51: return x\n" in text


@pytest.mark.parametrize(
    ("after", "before", "where"),
    [
        ("a", "b", "; the fault lies in its own code, between a and b"),
        ("a", "", "; the fault lies in its own code, after a"),
        ("", "b", "; the fault lies in its own code, before b"),
        ("", "", "whose output does not"),
    ],
)
def test_a_location_says_where_in_the_module(after: str, before: str, where: str) -> None:
    location = Location("case", "graph", "", 2, "Net", "", after=after, before=before)
    text = location_text(location)
    assert text.startswith("the model itself (Net, call 2) is the first module")
    assert text.endswith(where)


def test_the_verdict_counts_what_was_compared() -> None:
    report = passing_report()
    assert verdict_line(report) == (
        f"parity holds: {report.compared} outputs, 11 gradients, 3 parameters after a step, "
        "1 statistics and 2 losses compared, largest difference of an output 7e-07"
    )
    assert verdict_line(replace(report, gradients=(), random=(), losses=())).startswith(
        f"parity holds: {report.compared} outputs compared, largest"
    )
    assert verdict_line(failing_report()).endswith("; 2 findings")
    assert verdict_line(bare_report()) == "parity fails: 0 outputs compared; 1 findings"


def test_the_verdict_is_the_last_line() -> None:
    for report in (passing_report(), failing_report(), bare_report()):
        assert " ".join(printed(report).split()).endswith(verdict_line(report))


def test_brackets_in_a_name_are_no_markup() -> None:
    row = GradientRow("blocks[0][bold]", (1,), 1.0, 0.0, 1.0)
    report = replace(bare_report(), gradients=(GradientRun("[red]case", rows=(row,)),))
    assert cells(printed(report), "Gradients")[0][:2] == ["[red]case", "blocks[0][bold]"]
