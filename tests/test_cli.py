"""Check options, streams and exit codes of the command line, with a port made up for the test."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from porter import __version__
from porter.cli import main
from porter.diagnostics.codes import CODES
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

ERROR = Finding("PRT101", Position("m.py", 9, 5), "no mapping for torch.stft")
REVIEW = Finding("PRT203", Position("m.py", 3), "x", Applicability.REVIEW, Severity.WARNING)


@pytest.fixture
def fake_port(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[tuple[str, Path | None]]]:
    """Return a function that replaces the porting stage and gives the list of its calls."""

    def install(
        *findings: Finding, error: BaseException | None = None
    ) -> list[tuple[str, Path | None]]:
        calls: list[tuple[str, Path | None]] = []

        def port_source(
            source: str, *, configuration: None = None, mappings_directory: Path | None = None
        ) -> PortResult:
            calls.append((source, mappings_directory))
            if error is not None:
                raise error
            files = (
                PortedFile(Path("__init__.py"), ""),
                PortedFile(Path("m.py"), "x = 2\n", "x = 1\n"),
            )
            manifest = {"source": "m", "class": None}
            return PortResult(files, findings, SiteCounts(5, 1, 1), manifest)

        module = ModuleType("porter.port")
        module.port_source = port_source  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "porter.port", module)
        return calls

    return install


Install = Callable[..., list[tuple[str, Path | None]]]
Captured = pytest.CaptureFixture[str]


def test_a_clean_port_is_written(fake_port: Install, capsys: Captured) -> None:
    calls = fake_port()
    assert main(["port", "m.py:Model", "-o", "out", "--mappings", "tables"]) == 0
    assert calls == [("m.py:Model", Path("tables"))]
    assert Path("out/m.py").read_text() == "x = 2\n"
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err == "5 of 7 sites applied, 1 to review, 1 manual\n"


def test_findings_go_to_stdout_and_decide_the_exit_code(
    fake_port: Install, capsys: Captured
) -> None:
    fake_port(ERROR, REVIEW)
    assert main(["port", "m.py", "-o", "out"]) == 1
    assert Path("out/port.json").is_file()
    assert (
        capsys.readouterr().out
        == "m.py:3:1: PRT203 x\nm.py:9:5: PRT101 no mapping for torch.stft\n"
    )


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--strict"], 1)])
def test_strict_fails_on_what_is_left_to_review(
    fake_port: Install, arguments: list[str], code: int
) -> None:
    fake_port(REVIEW)
    assert main(["port", "m.py", "-o", "out", *arguments]) == code


@pytest.mark.parametrize(
    ("option", "code", "shown"), [("--ignore=PRT1", 0, "PRT203"), ("--select=PRT1", 1, "PRT101")]
)
def test_a_choice_of_codes_is_told(
    fake_port: Install, capsys: Captured, option: str, code: int, shown: str
) -> None:
    fake_port(ERROR, REVIEW)
    assert main(["port", "m.py", "--check", option]) == code
    streams = capsys.readouterr()
    assert [line.split()[1] for line in streams.out.splitlines()] == [shown]
    assert "(findings not shown: 1)" in streams.err


def test_check_writes_nothing(fake_port: Install) -> None:
    fake_port(ERROR)
    assert main(["port", "m.py", "--check", "-o", "out"]) == 1
    assert not Path("out").exists()


def test_diff_prints_only_the_diff_on_stdout(fake_port: Install, capsys: Captured) -> None:
    fake_port(ERROR)
    assert main(["port", "m.py", "--diff"]) == 1
    streams = capsys.readouterr()
    assert streams.out == "--- torch/m.py\n+++ mindspore/m.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    assert streams.err.startswith("m.py:9:5: PRT101")
    assert list(Path().iterdir()) == []


def test_json_report_is_one_document_on_stdout(fake_port: Install, capsys: Captured) -> None:
    fake_port(ERROR)
    assert main(["port", "m.py", "-o", "out", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["versions"]["porter"] == __version__
    assert [finding["code"] for finding in data["findings"]] == ["PRT101"]


def test_an_existing_output_is_refused_before_the_work(
    fake_port: Install, capsys: Captured
) -> None:
    calls = fake_port()
    Path("out").mkdir()
    assert main(["port", "m.py", "-o", "out"]) == 2
    assert calls == []
    line = "out:1:1: PRT401 the output folder exists (--force replaces an earlier port)\n"
    assert capsys.readouterr().err == line
    assert main(["port", "m.py", "-o", "out", "--force"]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["port"],
        ["port", "m.py"],
        ["port", "m.py", "-o"],
        ["port", "m.py", "-o", "out", "--check", "--diff"],
        ["port", "m.py", "--diff", "--format", "json"],
        ["port", "m.py", "-o", "out", "--format", "xml"],
        ["port", "m.py", "-o", "out", "--select", "PTR1"],
        ["port", "m.py", "n.py", "-o", "out"],
        ["prot", "m.py"],
        ["--wrong"],
        ["rule", "PRT999"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    fake_port: Install, capsys: Captured, arguments: list[str]
) -> None:
    calls = fake_port()
    assert main(arguments) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.count("\n") == 1
    assert calls == []
    assert not Path("out").exists()


def test_an_error_with_a_place_is_one_line(fake_port: Install, capsys: Captured) -> None:
    position = Position("m.py", 3, 7)
    fake_port(error=PorterError("PRT001", "bad", hint="fix", position=position, exit_code=1))
    assert main(["port", "m.py", "-o", "out"]) == 1
    assert capsys.readouterr().err == "m.py:3:7: PRT001 bad (fix)\n"


@pytest.mark.parametrize("wanted", [False, True])
def test_a_defect_is_one_line_unless_a_traceback_is_wanted(
    fake_port: Install, capsys: Captured, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    fake_port(error=KeyError("line one\nline two"))
    monkeypatch.setenv("PORTER_TRACEBACK", "1" if wanted else "")
    assert main(["port", "m.py", "-o", "out"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("PRT904 KeyError: 'line one")
    assert ("Traceback" in lines[0]) is wanted
    assert (len(lines) == 1) is not wanted


def test_interruption_is_quiet(fake_port: Install, capsys: Captured) -> None:
    fake_port(error=KeyboardInterrupt())
    assert main(["port", "m.py", "-o", "out"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_version(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"porter {__version__}\n"


@pytest.mark.parametrize("command", [[], ["port"], ["weights"], ["verify"], ["run"], ["rule"]])
def test_help_reads_well(capsys: Captured, command: list[str]) -> None:
    assert main([*command, "--help"]) == 0
    streams = capsys.readouterr()
    assert "Usage: porter" in streams.out
    assert not command or "Examples:" in streams.out
    assert streams.err == ""


def test_rule_lists_every_code(capsys: Captured) -> None:
    assert main(["rule"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert lines[0].split() == ["PRT001", "syntax-error", "error", "manual"]
    assert main(["rule", "--format", "json"]) == 0
    assert [row["code"] for row in json.loads(capsys.readouterr().out)] == list(CODES)


def test_rule_prints_the_raw_page_where_no_terminal_is(capsys: Captured) -> None:
    assert main(["rule", "PRT203"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# in-place-rewritten (PRT203)\n")
    assert main(["rule", "203", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["code"], data["page"]) == ("PRT203", text)
