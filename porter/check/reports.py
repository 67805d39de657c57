"""Print what the checker found: as text, JSON, SARIF 2.1.0 or annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from porter import __version__
from porter.check.checker import Checked, Problem
from porter.diagnostics.codes import CODES
from porter.types import Finding, PorterError, Severity

SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def text_report(problems: Sequence[Problem]) -> str:
    """Return one line for each problem; `[*]` marks those that --fix mends."""
    lines = []
    for problem in problems:
        found = problem.finding
        mark = "[*] " if problem.fix is not None else ""
        lines.append(f"{found.position}: {found.code} {mark}{_said(found)}\n")
    return "".join(lines)


def _said(found: Finding) -> str:
    return f"{found.message} ({found.hint})" if found.hint else found.message


def summary(checked: Checked, problems: Sequence[Problem]) -> str:
    """Return the closing line."""
    if not problems:
        return f"{_count(checked.files, 'file')} checked, no findings"
    mendable = sum(problem.fix is not None for problem in problems)
    line = f"{_count(len(problems), 'finding')} in {_count(checked.files, 'file')}"
    return f"{line}, {mendable} can be mended with --fix" if mendable else line


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def json_report(checked: Checked, problems: Sequence[Problem]) -> str:
    """Return the report as JSON; docs/check.md describes its fields."""
    data = {
        "porter": __version__,
        "files": checked.files,
        "findings": [
            problem.finding.to_json() | {"fixable": problem.fix is not None} for problem in problems
        ],
        "errors": [str(error) for error in checked.errors],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def sarif_report(checked: Checked, problems: Sequence[Problem]) -> str:
    """Return the report in the static analysis format that code hosts read."""
    used = sorted({problem.finding.code for problem in problems})
    rules: list[dict[str, Any]] = [
        {
            "id": code,
            "name": CODES[code].name,
            "shortDescription": {"text": CODES[code].name.replace("-", " ")},
            "help": {"text": f"porter rule {code}"},
            "defaultConfiguration": {"level": SARIF_LEVELS[CODES[code].severity]},
        }
        for code in used
    ]
    results = [_sarif_result(problem, used) for problem in problems]
    run = {
        "tool": {
            "driver": {
                "name": "porter",
                "version": __version__,
                "rules": rules,
            }
        },
        "results": results,
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not checked.errors,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": str(error)}} for error in checked.errors
                ],
            }
        ],
    }
    document = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _sarif_result(problem: Problem, used: Sequence[str]) -> dict[str, Any]:
    found = problem.finding
    return {
        "ruleId": found.code,
        "ruleIndex": used.index(found.code),
        "level": SARIF_LEVELS[found.severity],
        "message": {"text": _said(found)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": found.position.path.replace("\\", "/")},
                    "region": {
                        "startLine": found.position.line,
                        "startColumn": found.position.column,
                    },
                }
            }
        ],
    }


def github_report(problems: Sequence[Problem]) -> str:
    """Return workflow commands that GitHub shows at the lines."""
    lines = []
    for problem in problems:
        found = problem.finding
        place = f"file={_escaped(found.position.path)},line={found.position.line}"
        text = _said(found).replace("%", "%25").replace("\n", "%0A")
        level = GITHUB_LEVELS[found.severity]
        lines.append(f"::{level} {place},col={found.position.column},title={found.code}::{text}\n")
    return "".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


def error_lines(errors: Sequence[PorterError]) -> str:
    """Return one line for each file that could not be read."""
    return "".join(f"{error}\n" for error in errors)
