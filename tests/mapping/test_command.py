"""Run `porter mappings` on porter's tables and on tables that a user brings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from porter.cli import main

Captured = pytest.CaptureFixture[str]

OURS = """
["torch.add"]
signature = "(input, other)"
emit = "ops.sub({input}, {other})"
difference = "names"
samples = ["f32[2,3], f32[2,3]"]

["torch.sin"]
signature = "(input)"
emit = "ops.sin({input})[None]"
difference = "names"
"""


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "ours.toml").write_text(OURS)
    return tmp_path


def test_list_shows_what_a_name_becomes(capsys: Captured) -> None:
    assert main(["mappings", "list", "torch.cat", "torch.Tensor.view*", "--format", "json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["entries"]}
    assert set(rows) == {"torch.cat", "torch.Tensor.view", "torch.Tensor.view_as"}
    assert rows["torch.cat"]["becomes"] == "`ops.cat({tensors}, axis={dim})`"
    assert Path(rows["torch.cat"]["path"]).read_text().splitlines()[
        rows["torch.cat"]["line"] - 1
    ] == ('["torch.cat"]')


def test_list_shows_the_brackets_of_an_expression(tables: Path, capsys: Captured) -> None:
    assert main(["mappings", "list", "--mappings", str(tables)]) == 0
    printed = capsys.readouterr()
    assert "ops.sin({input})[None]" in printed.out
    assert "2 entries" in printed.err


def test_a_name_without_an_entry_is_one_line(capsys: Captured) -> None:
    assert main(["mappings", "list", "torch.catt"]) == 2
    error = capsys.readouterr().err
    assert error == (
        "PRT703 no entry is called 'torch.catt' (did you mean torch.cat, torch.scatter, torch.t)\n"
    )


def test_check_names_the_entry_that_nothing_proves(tables: Path, capsys: Captured) -> None:
    assert main(["mappings", "check", "--mappings", str(tables)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f'{tables / "ours.toml"}:8:1: PRT902 ["torch.sin"] has no samples')
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (OURS.replace("{other})", "{others})"), "emit names 'others', which the signature has not"),
        (OURS.replace('"f32[2,3], f32[2,3]"', '"f32[2,3]"'), "no value for the parameter 'other'"),
        (OURS.replace("ops.sub(", "runtime.functional.nothing("), "nothing does not exist"),
        ('["torch.add"\n', "not a readable TOML file"),
    ],
)
def test_check_finds_a_wrong_entry(
    tables: Path, capsys: Captured, table: str, message: str
) -> None:
    (tables / "ours.toml").write_text(table)
    assert main(["mappings", "check", "--mappings", str(tables)]) in (1, 2)
    printed = capsys.readouterr()
    (line,) = [item for item in (printed.out + printed.err).splitlines() if "PRT901" in item]
    assert message in line
    assert str(tables / "ours.toml") in line


def test_check_finds_nothing_in_porters_own_entries(capsys: Captured) -> None:
    assert main(["mappings", "check", "torch_shape.toml"]) == 0
    assert capsys.readouterr().out == ""


def test_verify_runs_the_entries_of_the_user_through_the_same_harness(
    tables: Path, capsys: Captured
) -> None:
    mended = tables / "mended"
    mended.mkdir()
    (mended / "ours.toml").write_text(OURS.replace("ops.sub", "ops.add"))
    command = ["mappings", "verify", "torch.add", "--mode", "graph", "--mappings"]
    assert main([*command, str(tables)]) == 1
    assert "torch.add#0 graph: PRT603" in capsys.readouterr().out
    assert main([*command, str(mended), "--format", "json"]) == 0
    printed = capsys.readouterr()
    (run,) = json.loads(printed.out)["runs"]
    assert (run["sample"], run["mode"], run["code"], run["outputs"]) == (
        "torch.add#0",
        "graph",
        "",
        1,
    )
    assert "1 entries: 1 of 1 runs hold" in printed.err


def test_list_and_check_import_no_framework(tables: Path) -> None:
    code = (
        "import sys; from porter.cli import main;"
        "main(['mappings', 'list', 'torch.cat']); main(['mappings', 'check', 'torch.cat']);"
        "print({'torch', 'mindspore', 'numpy'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "set()"
