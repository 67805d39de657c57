"""Check what a port emits, so that a port that cannot compile is not called clean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from porter.check.checker import check_modules
from porter.check.project import Project
from porter.types import Finding, PortedFile, Severity


def emitted_findings(files: Iterable[PortedFile]) -> list[Finding]:
    """Return the errors of the checker in emitted files; positions are those of the port.

    Files that were not made from a source, such as the runtime, are left out: their tests compile
    them.
    """
    project = Project()
    entries = [project.add_text(item.text, item.path) for item in files if item.source is not None]
    return [
        replace(problem.finding, message=f"in the port: {problem.finding.message}")
        for problem in check_modules(project, entries)
        if problem.finding.severity is Severity.ERROR
    ]
