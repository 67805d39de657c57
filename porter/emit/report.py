"""Turn the outcome of a port into text, JSON, a diff and an exit code."""

from __future__ import annotations

import difflib
import importlib.metadata
import io
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter import __version__
from porter.types import Applicability, Finding, PorterError, PortResult, Severity, SiteCounts

CODE_PREFIX = re.compile(r"PRT\d{0,3}")


@dataclass(frozen=True, slots=True)
class Selection:
    """Choose findings by the start of their code: `PRT2`, `PRT203`. Empty `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def has(self, code: str) -> bool:
        """Tell whether a code is chosen."""
        wanted = not self.select or code.startswith(self.select)
        return wanted and not (self.ignore and code.startswith(self.ignore))

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the chosen findings in the order of path, line, column and code."""
        chosen = (finding for finding in findings if self.has(finding.code))
        return tuple(sorted(chosen, key=lambda finding: (finding.position, finding.code)))


def read_selection(select: str | None, ignore: str | None) -> Selection:
    """Read comma-separated code prefixes, as `--select PRT1,PRT203` gives them.

    Raises PorterError (PRT703) for what cannot start a code: a typing error would otherwise hide
    every finding.
    """
    return Selection(_read_prefixes("--select", select), _read_prefixes("--ignore", ignore))


def _read_prefixes(option: str, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    prefixes = tuple(part.strip().upper() for part in text.split(","))
    for prefix in prefixes:
        if not CODE_PREFIX.fullmatch(prefix):
            raise PorterError(
                "PRT703",
                f"{option} got {prefix or text!r}, which starts no code",
                hint="codes look like PRT203; porter rule lists them",
            )
    return prefixes


def exit_code(findings: Iterable[Finding], strict: bool = False) -> int:
    """Return 1 when a finding is an error, or, under `strict`, left to review; otherwise 0."""
    failing = any(
        finding.severity is Severity.ERROR
        or (strict and finding.applicability is Applicability.REVIEW)
        for finding in findings
    )
    return 1 if failing else 0


def text_report(findings: Iterable[Finding]) -> str:
    """Return one line for each finding, each with its newline."""
    return "".join(f"{finding}\n" for finding in findings)


def summary_line(counts: SiteCounts, hidden: int = 0) -> str:
    """Return the closing line, such as `98 of 104 sites applied, 4 to review, 2 manual`.

    `hidden` counts the findings left out by --select and --ignore, so that nothing vanishes unsaid.
    """
    line = f"{counts.applied} of {counts.total} sites applied"
    line += f", {counts.review} to review, {counts.manual} manual"
    return f"{line} (findings not shown: {hidden})" if hidden else line


def json_report(
    result: PortResult, findings: Sequence[Finding], output: Path | None
) -> dict[str, Any]:
    """Return the report as plain JSON data; docs/json.md describes its fields."""
    return {
        "versions": {
            "porter": __version__,
            "python": platform.python_version(),
            "libcst": importlib.metadata.version("libcst"),
        },
        "source": result.manifest.get("source"),
        "class": result.manifest.get("class"),
        "output": None if output is None else str(output),
        "files": [file.path.as_posix() for file in result.files],
        "counts": {
            "applied": result.counts.applied,
            "review": result.counts.review,
            "manual": result.counts.manual,
            "total": result.counts.total,
        },
        "hidden": len(result.findings) - len(findings),
        "findings": [finding.to_json() for finding in findings],
    }


def source_diff(result: PortResult) -> str:
    """Return the unified diff of each source file against its port.

    Files that have no source (the runtime, `__init__.py`) are left out.
    """
    parts: list[str] = []
    for file in result.files:
        if file.source is None:
            continue
        before, after = (list(io.StringIO(text, newline=None)) for text in (file.source, file.text))
        name = file.path.as_posix()
        parts += difflib.unified_diff(before, after, f"torch/{name}", f"mindspore/{name}")
    return diff_text(parts)


def diff_text(lines: Iterable[str]) -> str:
    """Return the lines of a diff as text; one that lacks its newline is marked as diffs do."""
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
