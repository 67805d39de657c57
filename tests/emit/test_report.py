"""Check findings as text and JSON, the choice of findings, the exit code and the diff."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.emit import report
from porter.types import (
    Applicability,
    Finding,
    PortedFile,
    PorterError,
    PortResult,
    Position,
    Severity,
    SiteCounts,
)

ERROR = Finding("PRT101", Position("m.py", 9, 5), "no mapping for torch.stft", hint="add one")
REVIEW = Finding(
    "PRT203", Position("m.py", 3, 1), "x", Applicability.REVIEW, Severity.WARNING, "a", "b"
)
NOTE = Finding("PRT301", Position("a.py"), "y", Applicability.APPLIED, Severity.NOTE)


def test_findings_are_lines_in_order_of_place() -> None:
    chosen = report.Selection().apply([ERROR, REVIEW, NOTE])
    assert report.text_report(chosen) == (
        "a.py:1:1: PRT301 y\n"
        "m.py:3:1: PRT203 x\n"
        "m.py:9:5: PRT101 no mapping for torch.stft (add one)\n"
    )


@pytest.mark.parametrize(
    ("select", "ignore", "codes"),
    [
        (None, None, ["PRT301", "PRT203", "PRT101"]),
        ("PRT1,prt203", None, ["PRT203", "PRT101"]),
        (None, "PRT2, PRT3", ["PRT101"]),
        ("PRT", "PRT101", ["PRT301", "PRT203"]),
        ("PRT5", None, []),
    ],
)
def test_findings_are_chosen_by_prefix(
    select: str | None, ignore: str | None, codes: list[str]
) -> None:
    chosen = report.read_selection(select, ignore).apply([ERROR, REVIEW, NOTE])
    assert [finding.code for finding in chosen] == codes


@pytest.mark.parametrize("text", ["", "PTR2", "PRT1,,PRT2", "2", "PRT1234"])
def test_a_prefix_of_no_code_is_refused(text: str) -> None:
    with pytest.raises(PorterError, match="starts no code"):
        report.read_selection(text, None)
    with pytest.raises(PorterError, match="--ignore"):
        report.read_selection(None, text)


def test_exit_code_follows_severity_and_strict() -> None:
    assert report.exit_code([]) == 0
    assert report.exit_code([REVIEW, NOTE]) == 0
    assert report.exit_code([NOTE], strict=True) == 0
    assert report.exit_code([REVIEW], strict=True) == 1
    assert report.exit_code([NOTE, ERROR]) == 1


def test_summary_counts_sites_and_says_what_is_hidden() -> None:
    counts = SiteCounts(applied=98, review=4, manual=2)
    assert report.summary_line(counts) == "98 of 104 sites applied, 4 to review, 2 manual"
    assert report.summary_line(counts, hidden=3).endswith("2 manual (findings not shown: 3)")


def test_json_report_holds_everything_once(tmp_path: Path) -> None:
    files = (PortedFile(Path("runtime/outputs.py"), ""), PortedFile(Path("m.py"), "", "x = 1\n"))
    manifest = {"source": "m", "class": None}
    result = PortResult(files, (ERROR, REVIEW), SiteCounts(5, 1, 1), manifest)
    data = report.json_report(result, [REVIEW], tmp_path)
    assert json.loads(json.dumps(data)) == data
    assert sorted(data.pop("versions")) == ["libcst", "porter", "python"]
    assert data == {
        "source": "m",
        "class": None,
        "output": str(tmp_path),
        "files": ["runtime/outputs.py", "m.py"],
        "counts": {"applied": 5, "review": 1, "manual": 1, "total": 7},
        "hidden": 1,
        "findings": [
            {
                "code": "PRT203",
                "path": "m.py",
                "line": 3,
                "column": 1,
                "message": "x",
                "applicability": "review",
                "severity": "warning",
                "torch_name": "a",
                "target": "b",
                "hint": None,
            }
        ],
    }


def test_diff_is_unified_and_leaves_out_files_without_source() -> None:
    before = "# ported\r\nx = 'é'\r\ny = 1"
    after = "# ported\r\nx = 'é'\r\ny = 2\n"
    files = (PortedFile(Path("m.py"), after, before), PortedFile(Path("n.py"), "z = 1\n"))
    result = PortResult(files, (), SiteCounts(), {})
    assert report.source_diff(result) == (
        "--- torch/m.py\n+++ mindspore/m.py\n@@ -1,3 +1,3 @@\n # ported\n x = 'é'\n"
        "-y = 1\n\\ No newline at end of file\n+y = 2\n"
    )
