"""Find the golden cases and port them as a user would."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from porter.port import port_source
from porter.types import PortedFile, PortResult

CASES = Path(__file__).resolve().parent / "cases"
CLASS = re.compile(r"\A# class: (\w+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """One source file, the port that it is to give, and the findings."""

    source: Path

    @property
    def name(self) -> str:
        return self.source.name.removesuffix(".in.py")

    @property
    def expected(self) -> Path:
        return self.source.with_name(f"{self.name}.out.py")

    @property
    def findings(self) -> Path:
        return self.source.with_name(f"{self.name}.txt")

    def port(self, folder: Path) -> PortResult:
        """Port a copy in `folder`, under a plain name; one class where the case says so."""
        copy = folder / f"{self.name}.py"
        shutil.copyfile(self.source, copy)
        wanted = CLASS.search(self.source.read_text(encoding="utf-8"))
        return port_source(f"{copy}:{wanted.group(1)}" if wanted else str(copy))


def find_cases(topic: str = "*") -> list[Case]:
    """Return the cases of a topic, or all."""
    return [Case(path) for path in sorted(CASES.glob(f"{topic}/*.in.py"))]


def main_file(result: PortResult) -> PortedFile:
    """Return the ported file itself, apart from the runtime and package files."""
    return result.files[0]


def body_of(text: str) -> str:
    """Return a port's text without the header line, which names the version and the source."""
    headers = re.findall(r"^# Ported to MindSpore by porter .*\n?", text, re.MULTILINE)
    assert len(headers) == 1
    return text.replace(headers[0], "", 1)


def findings_text(result: PortResult) -> str:
    """Return the findings and counts, one a line, without the path."""
    lines = [
        f"{f.position.line}:{f.position.column}: {f.code} [{f.applicability}] {f.severity}: "
        f"{f.message}"
        for f in result.findings
    ]
    counts = result.counts
    lines.append(f"applied {counts.applied}, review {counts.review}, manual {counts.manual}")
    return "\n".join(lines) + "\n"
