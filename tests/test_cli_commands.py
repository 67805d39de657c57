"""Check that `weights`, `verify` and `run` hand every option on, and what they print and return."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from porter.cli import main
from porter.parity.results import OutputRow, ParityReport, RunRow, VariantRows
from porter.run import RunReport, StageRow
from porter.types import Finding, Position
from porter.weights.command import Request
from porter.weights.describe import CellReference
from porter.weights.file_rules import read_rules
from porter.weights.selection import Selection
from porter.weights.settings import Settings

Captured = pytest.CaptureFixture[str]


def parity(*findings: Finding) -> ParityReport:
    rows = (VariantRows(0, (OutputRow("y", (2, 3), "float32", 0.0),)),)
    runs = (RunRow("case0", "graph", "STRICT", "static", variants=rows),)
    return ParityReport("r.toml", "m:Net", "out", None, {}, 1, runs, (), (), findings)


FAILURE = Finding("PRT603", Position("r.toml"), "y differs")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, in_folder: Path) -> list[tuple[Any, ...]]:
    """Replace what the commands call, and return the list of the calls."""
    made: list[tuple[Any, ...]] = []
    outcome: dict[str, ParityReport] = {"good.toml": parity(), "bad.toml": parity(FAILURE)}

    def weights_command(*arguments: Any, **options: Any) -> int:
        made.append((*arguments, options))
        return 1

    def verify(recipe: str, port: Path | None, *, progress: Any, **options: Any) -> ParityReport:
        progress("graph")
        made.append((recipe, port, options))
        return outcome[recipe]

    def run_recipe(recipe: str, output: Path, *, progress: Any, **options: Any) -> RunReport:
        progress("port")
        made.append((recipe, output, options))
        report = outcome[recipe]
        stage = StageRow("parity", "0 findings", report.passed)
        return RunReport(output, None, (stage,), (), report, 1.0)

    monkeypatch.setattr("porter.weights.command.weights_command", weights_command)
    monkeypatch.setattr("porter.recipe.load_recipe", lambda text: text)
    monkeypatch.setattr("porter.parity.verify.verify", verify)
    monkeypatch.setattr("porter.run.run_recipe", run_recipe)
    return made


def test_weights_hands_every_option_on(calls: list[tuple[Any, ...]]) -> None:
    rule = "[[rule]]\ndrop = 'a'\n"
    Path("rules.toml").write_text(rule)
    options = "--cell m:Net --config c.toml --dtype float16 --prefix net. --mappings tables"
    more = "--ignore a.* --ignore b --force --format json --port out --key ema --rules rules.toml"
    last = "--allow-missing --allow-unexpected --max-shard-size 2MB --file-format ckpt --dry-run"
    end = "--no-verify --resume --workers 3 --engine ray --infer"
    arguments = f"weights s3://in/net.bin -o out {options} {more} {last} {end}"
    assert main(arguments.split()) == 1
    assert calls == [
        (
            "s3://in/net.bin",
            Path("out"),
            {
                "reference": CellReference("m:Net", Path("out"), Path("c.toml"), Path("tables")),
                "selection": Selection(
                    prefix="net.",
                    ignore=("a.*", "b"),
                    dtype="float16",
                    key="ema",
                    rules=read_rules(Path("rules.toml")),
                    allow_missing=True,
                    allow_unexpected=True,
                ),
                "settings": Settings(
                    suffix=".ckpt",
                    shard_size=2_000_000,
                    verify=False,
                    manifest=True,
                    resume=True,
                    dry_run=True,
                    workers=3,
                    engine="ray",
                ),
                "request": Request(infer=True, force=True, output_format="json"),
            },
        )
    ]


def test_weights_has_defaults(calls: list[tuple[Any, ...]]) -> None:
    assert main(["weights", "in.bin", "-o", "out.ckpt", "--reverse"]) == 1
    assert calls[0][2] == {
        "reference": CellReference(),
        "selection": Selection(),
        "settings": Settings(manifest=True),
        "request": Request(reverse=True),
    }


def test_verify_hands_every_option_on_and_writes_the_report(
    calls: list[tuple[Any, ...]], capsys: Captured
) -> None:
    options = "--weights w.ckpt --case a --case b --mode graph --work kept --mappings tables"
    more = "--port out --report deep/report.json --junit deep/junit.xml --locate"
    assert main(["verify", "good.toml", *options.split(), *more.split()]) == 0
    given = {
        "weights": Path("w.ckpt"),
        "work": Path("kept"),
        "cases": ["a", "b"],
        "modes": ["graph"],
        "mappings_directory": Path("tables"),
        "record": "failed",
    }
    assert calls == [("good.toml", Path("out"), given)]
    assert "parity holds: 1 outputs" in capsys.readouterr().out
    assert "<testsuites" in Path("deep/junit.xml").read_text()
    assert json.loads(Path("deep/report.json").read_text())["passed"] is True


@pytest.mark.parametrize("command", [["verify", "bad.toml"], ["run", "bad.toml", "-o", "out"]])
def test_a_failed_parity_is_exit_1_in_either_format(
    calls: list[tuple[Any, ...]], capsys: Captured, command: list[str]
) -> None:
    assert main(command) == 1
    assert "r.toml:1:1: PRT603 y differs" in capsys.readouterr().out
    assert main([*command, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["passed"] is False
    assert data.get("parity", data)["findings"][0]["code"] == "PRT603"
    assert len(calls) == 2


def test_run_hands_every_option_on(calls: list[tuple[Any, ...]], capsys: Captured) -> None:
    options = "--case a --mode pynative --work kept --mappings tables --force"
    assert main(["run", "good.toml", "-o", "out", *options.split()]) == 0
    given = {
        "force": True,
        "work": Path("kept"),
        "cases": ["a"],
        "modes": ["pynative"],
        "mappings_directory": Path("tables"),
        "record": "never",
    }
    assert calls == [("good.toml", Path("out"), given)]
    assert "parity holds" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["verify"], ["run", "-o", "out"]])
def test_a_page_compares_every_module(calls: list[tuple[Any, ...]], command: list[str]) -> None:
    assert main([*command, "good.toml", "--html", "deep/page.html"]) == 0
    assert calls[0][2]["record"] == "always"
    assert Path("deep/page.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    "arguments",
    [
        ["weights", "in.bin"],
        ["verify"],
        ["verify", "good.toml", "--mode", "fast"],
        ["run", "good.toml"],
    ],
)
def test_wrong_usage_calls_nothing(
    calls: list[tuple[Any, ...]], capsys: Captured, arguments: list[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert calls == []
