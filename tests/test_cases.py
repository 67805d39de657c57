"""Hold the port of every golden case to the expected text, and to what holds for every port."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import libcst as cst
import pytest

from porter.mapping.load import load_mappings
from porter.port import port_source
from porter.rewrite.statements import StatementRewriter
from porter.types import PortResult
from tests.support_cases import (
    Case,
    body_of,
    find_cases,
    findings_text,
    main_file,
)

every_case = pytest.mark.parametrize("case", find_cases(), ids=lambda case: case.name)


TORCH = re.compile(r"(?:import|from) torch\b")


def comments(text: str) -> list[str]:
    return [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]


def removed_comments(case: Case) -> list[str]:
    """Comments of a source that say themselves that they go with the code around them."""
    return [text for text in comments(case.source.read_text()) if text.startswith("# gone")]


@every_case
def test_port_is_as_expected(case: Case, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    result = case.port(tmp_path)
    text, findings = body_of(main_file(result).text), findings_text(result)
    if pytestconfig.getoption("--update"):
        case.expected.write_text(text, encoding="utf-8")
        case.findings.write_text(findings, encoding="utf-8")
    assert text == case.expected.read_text(encoding="utf-8")
    assert findings == case.findings.read_text(encoding="utf-8")


@every_case
def test_every_file_parses(case: Case, tmp_path: Path) -> None:
    for item in case.port(tmp_path).files:
        ast.parse(item.text)


@every_case
def test_porting_a_port_changes_nothing(case: Case, tmp_path: Path) -> None:
    text = body_of(main_file(case.port(tmp_path)).text)
    again = tmp_path / "again.py"
    again.write_text(text, encoding="utf-8")
    assert body_of(main_file(port_source(str(again))).text) == text


@every_case
def test_every_comment_outside_of_removed_code_survives(case: Case, tmp_path: Path) -> None:
    before = Counter(comments(case.source.read_text(encoding="utf-8")))
    after = Counter(comments(body_of(main_file(case.port(tmp_path)).text)))
    assert before - after == Counter(removed_comments(case))


@every_case
def test_a_tree_without_edits_prints_the_same_bytes(case: Case) -> None:
    text = case.source.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert StatementRewriter({}, tree, text).module(tree, cst.parse_module(text)).code == text


@every_case
def test_every_finding_points_at_its_code(case: Case, tmp_path: Path) -> None:
    lines = case.source.read_text(encoding="utf-8").splitlines()
    for finding in case.port(tmp_path).findings:
        line = lines[finding.position.line - 1]
        assert line[finding.position.column - 1 :].strip(), finding
        assert finding.position.path.endswith(f"{case.name}.py")


@every_case
def test_every_import_from_the_runtime_is_there(case: Case, tmp_path: Path) -> None:
    result = case.port(tmp_path)
    for node in ast.walk(ast.parse(main_file(result).text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runtime."):
            defined = names_defined(result, f"{(node.module or '').replace('.', '/')}.py")
            assert {alias.name for alias in node.names} <= defined


def names_defined(result: PortResult, path: str) -> set[str]:
    text = next(item.text for item in result.files if item.path.as_posix() == path)
    found: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found.update(item.id for item in node.targets if isinstance(item, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def test_no_port_reads_a_name_that_nothing_binds(tmp_path: Path) -> None:
    cases = find_cases()
    for case in cases:
        (tmp_path / "source").mkdir(exist_ok=True)
        text = main_file(case.port(tmp_path / "source")).text
        (tmp_path / f"{case.source.parent.name}_{case.name}.py").write_text(text)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821,F811,F632"]
    command += ["--output-format", "concise", *map(str, sorted(tmp_path.glob("*.py")))]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("case", find_cases("noop"), ids=lambda case: case.name)
def test_code_without_torch_stays_as_it_is(case: Case, tmp_path: Path) -> None:
    result = case.port(tmp_path)
    assert result.counts.applied == 0
    kept = [line for line in case.source.read_text().splitlines() if not TORCH.match(line)]
    assert [line for line in body_of(main_file(result).text).splitlines() if line] == [
        line for line in kept if line
    ]


def test_there_are_cases_of_every_topic() -> None:
    topics = Counter(case.source.parent.name for case in find_cases())
    assert set(topics) == {
        "annotations",
        "calls",
        "classes",
        "models",
        "noop",
        "outputs",
        "refused",
        "statements",
        "table",
    }


def test_an_entry_that_names_a_case_is_used_in_it() -> None:
    texts = {case.name: case.source.read_text(encoding="utf-8") for case in find_cases()}
    for entry in load_mappings().entries.values():
        for name in entry.cases:
            assert entry.name.rpartition(".")[2] in texts[name], entry.name
