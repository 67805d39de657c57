"""Carry out `porter check`: settings, files, checks, fixes, report and exit code."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.check import reports
from porter.check.checker import Checked, Problem, check_files
from porter.check.project import find_files
from porter.check.settings import find_settings
from porter.emit.report import Selection, diff_text, read_selection
from porter.emit.write import write_text
from porter.source.read import read_module
from porter.types import Severity


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for."""

    paths: tuple[Path, ...]
    fix: bool = False
    diff: bool = False
    select: str | None = None
    ignore: str | None = None
    output_format: str = "text"


def check_command(request: Request) -> int:
    """Check, print and return the exit code: 1 where an error or a warning is left.

    Raises:
        PorterError: PRT801 for a path, PRT802 for the settings, PRT703 for a code.
    """
    settings = find_settings(request.paths[0] if request.paths[0].is_dir() else Path.cwd())
    chosen = read_selection(request.select, request.ignore)
    chosen = Selection(chosen.select or settings.select, chosen.ignore + settings.ignore)
    files = find_files(request.paths, settings.exclude)
    checked = check_files(files, chosen.select)
    if request.fix or request.diff:
        changes = _mended(checked, chosen)
        if request.diff:
            sys.stdout.write(_diff(changes))
        if request.fix:
            for path, (_, new) in changes.items():
                write_text(path, new)
            checked = check_files(files, chosen.select)
    problems = tuple(item for item in checked.problems if chosen.has(item.finding.code))
    if not request.diff:
        sys.stdout.write(_printed(request.output_format, checked, problems))
    sys.stderr.write(reports.error_lines(checked.errors))
    if request.output_format == "text":
        sys.stderr.write(reports.summary(checked, problems) + "\n")
    if checked.errors:
        return 2
    return 1 if any(item.finding.severity is not Severity.NOTE for item in problems) else 0


def _printed(output_format: str, checked: Checked, problems: Sequence[Problem]) -> str:
    if output_format == "json":
        return reports.json_report(checked, problems)
    if output_format == "sarif":
        return reports.sarif_report(checked, problems)
    if output_format == "github":
        return reports.github_report(problems)
    return reports.text_report(problems)


def _mended(checked: Checked, chosen: Selection) -> dict[Path, tuple[str, str]]:
    """Return the text of each file that --fix changes, before and after."""
    from porter.check.fix import fixed_text  # LibCST takes longer to import than many checks

    mendable = (
        item.path
        for item in checked.problems
        if item.fix is not None and chosen.has(item.finding.code)
    )
    changes = {}
    for path in dict.fromkeys(mendable):
        before = read_module(path, path.stem).text
        after = fixed_text(before, path, chosen.select, chosen.ignore)
        if after != before:
            changes[path] = (before, after)
    return changes


def _diff(changes: dict[Path, tuple[str, str]]) -> str:
    parts: list[str] = []
    for path, (before, after) in changes.items():
        lines = (before.splitlines(keepends=True), after.splitlines(keepends=True))
        parts += difflib.unified_diff(*lines, str(path), f"{path} (mended)")
    return diff_text(parts)
