"""Define the frozen values that pass between the stages of a port."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal


class Applicability(enum.StrEnum):
    """Say what porter did with the place that a finding names."""

    APPLIED = "applied"
    """Rewritten; the meaning is kept and proven by samples."""
    REVIEW = "review"
    """Rewritten, but a condition stated in the message decides whether the meaning is kept."""
    MANUAL = "manual"
    """Left as it was; somebody has to act."""


Record = Literal["never", "failed", "always"]
"""For which cases a verification compares the values of every module."""


class Severity(enum.StrEnum):
    """Rank a finding. An error means that the port is incomplete or wrong."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a source file: 1-based line, 1-based column."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic, as every stage produces it and every report prints it."""

    code: str
    position: Position
    message: str
    applicability: Applicability = Applicability.MANUAL
    severity: Severity = Severity.ERROR
    torch_name: str | None = None
    target: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        text = f"{self.position}: {self.code} {self.message}"
        return f"{text} ({self.hint})" if self.hint else text

    def to_json(self) -> dict[str, Any]:
        """Return the finding as plain JSON data; `position` is flattened to path, line, column."""
        data = asdict(self)
        data.update(data.pop("position"))
        return data


class PorterError(Exception):
    """Stop a command with one clear line: a code, a message and what to do next.

    `exit_code` is 1 where the input was read and found wrong, 2 for wrong usage or an internal
    error.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str | None = None,
        position: Position | None = None,
        exit_code: int = 2,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.position = position
        self.exit_code = exit_code

    def __str__(self) -> str:
        where = f"{self.position}: " if self.position else ""
        tail = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.code} {self.message}{tail}"


def one_line(error: BaseException, limit: int = 300) -> str:
    """Return the type and the first line of a message, cut at `limit` characters."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" -\t")]
    text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class PortedFile:
    """One emitted file: where it goes below the output folder, and its text."""

    path: Path
    text: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """Count the places of a port by what was done with them."""

    applied: int = 0
    review: int = 0
    manual: int = 0

    @property
    def total(self) -> int:
        return self.applied + self.review + self.manual

    def __add__(self, other: SiteCounts) -> SiteCounts:
        return SiteCounts(
            self.applied + other.applied, self.review + other.review, self.manual + other.manual
        )


@dataclass(frozen=True, slots=True)
class PortResult:
    """The outcome of a port: the files to write, what was found, how many places were carried."""

    files: tuple[PortedFile, ...]
    findings: tuple[Finding, ...]
    counts: SiteCounts
    manifest: dict[str, Any]

    @property
    def clean(self) -> bool:
        """Tell whether nothing was left that makes the port incomplete or wrong."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)
