"""Do the work of `porter mappings`: list entries, check them, and prove them beside PyTorch."""

from __future__ import annotations

import difflib
import fnmatch
import re
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from porter.mapping.coverage import Target, decide
from porter.mapping.load import Mapping, default_directory, load_mappings, read_tables
from porter.mapping.schema import Entry
from porter.mapping.verify import (
    QUICK,
    SampleResult,
    by_file,
    missing_runtime,
    port_cases,
    verify_entries,
)
from porter.parity.samples import cases_of, unique_entries
from porter.types import Applicability, Finding, PorterError, Position, Severity

AT_ONCE = 2
"""Processes that run samples: a compilation alone keeps more than one core busy."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The entries that a command is about, in the table that they are looked up in.

    `directory` is the folder that was laid over porter's own tables, where one was.
    """

    mapping: Mapping
    entries: tuple[Entry, ...]
    directory: Path | None

    def position(self, entry: Entry) -> Position:
        """Return the line of the entry's table."""
        for folder in (self.directory, default_directory()):
            if folder is not None and (line := _line(folder / entry.source, entry.name)):
                return Position(str(folder / entry.source), line)
        return Position(entry.source)


def choose(names: Sequence[str], directory: Path | None) -> Tables:
    """Return the entries that `names` choose: torch names, patterns as `torch.nn.*`, tables.

    Without names, those of `directory`, or all where none is given.

    Raises:
        PorterError: PRT901 for a table that cannot be read, PRT703 for a name without an entry.
    """
    mapping = load_mappings(directory)
    entries = unique_entries(mapping)
    if not names:
        own = None if directory is None else read_tables(directory).entries
        brought = [entry for entry in entries if own is None or entry.name in own]
        return Tables(mapping, tuple(brought), directory)
    chosen: dict[str, Entry] = {}
    for name in names:
        found = [entry for entry in entries if _is_named(entry, name)]
        if not found:
            close = difflib.get_close_matches(name, mapping.entries, 3)
            hint = f"did you mean {', '.join(close)}" if close else "porter mappings list shows all"
            raise PorterError("PRT703", f"no entry is called {name!r}", hint=hint)
        chosen.update({entry.name: entry for entry in found})
    return Tables(mapping, tuple(chosen.values()), directory)


def _is_named(entry: Entry, name: str) -> bool:
    return entry.source == name or any(
        fnmatch.fnmatchcase(known, name) for known in (entry.name, *entry.aliases)
    )


@lru_cache(maxsize=64)
def _heads(path: Path) -> dict[str, int]:
    """Return the line of each top-level table of a file."""
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [(re.match(r"""\[["'](.+)["']\]""", line), number) for number, line in enumerate(lines)]
    return {match[1]: number + 1 for match, number in heads if match}


def _line(path: Path, name: str) -> int | None:
    return _heads(path).get(name)


def rows(tables: Tables) -> list[dict[str, Any]]:
    """Return what `porter mappings list` shows of each entry, as plain JSON data."""
    found = []
    for entry in tables.entries:
        decision = decide(Target(entry.name, 0), tables.mapping)
        found.append(
            {
                "name": entry.name,
                "kind": entry.kind,
                "decision": decision.kind,
                "becomes": decision.becomes,
                "difference": entry.difference,
                "notes": entry.notes,
                "proof": decision.proof,
                "aliases": list(entry.aliases),
                **_flat(tables.position(entry)),
            }
        )
    return found


def _flat(position: Position) -> dict[str, Any]:
    return {"path": position.path, "line": position.line}


def check_entries(tables: Tables) -> tuple[Finding, ...]:
    """Return what is wrong with entries, as far as it shows without PyTorch and MindSpore.

    A sample that does not port (PRT901), a name that the runtime lacks (PRT901), and, to review, an
    entry that nothing proves (PRT902).

    Raises:
        PorterError: PRT901 for a sample that cannot be read.
    """
    found: list[Finding] = []
    ported = []
    for entry in tables.entries:
        position = tables.position(entry)
        cases = list(cases_of(entry))
        if _unproven(entry):
            found.append(
                Finding(
                    "PRT902",
                    position,
                    f'["{entry.name}"] has no samples: nothing proves it',
                    Applicability.REVIEW,
                    Severity.WARNING,
                    entry.name,
                    hint='samples = ["f32[2,3], dim=-1"]',
                )
            )
        broken = {text for item in entry.overloads if (text := missing_runtime(item))}
        found += [
            Finding("PRT901", position, f'["{entry.name}"] {text}', torch_name=entry.name)
            for text in sorted(broken)
        ]
        if not broken:
            ported += cases
    if ported:
        with tempfile.TemporaryDirectory(prefix="porter-mappings-") as folder:
            _, findings = port_cases(ported, tables.mapping, Path(folder))
        for case in ported:
            finding = findings.get(case.task)
            if finding is not None:
                text = f"sample {case.task} is not ported: {finding.code} {finding.message}"
                position = tables.position(case.entry)
                found.append(Finding("PRT901", position, text, torch_name=case.entry.name))
    return tuple(sorted(found, key=lambda finding: (finding.position, finding.message)))


def _unproven(entry: Entry) -> bool:
    return (
        entry.kind in ("function", "method", "module", "attribute")
        and entry.manual is None
        and entry.graph_manual is None
        and not entry.drop
        and not entry.cases
        and not any(overload.samples for overload in entry.overloads)
    )


def verify_tables(
    tables: Tables,
    modes: Sequence[str] = QUICK,
    *,
    derived: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> list[SampleResult]:
    """Run the samples of the entries in PyTorch and, ported, in MindSpore.

    Raises:
        PorterError: PRT901 for a sample that cannot be read.
    """

    def run(entries: list[Entry]) -> list[SampleResult]:
        return verify_entries(
            entries,
            tables.mapping,
            modes,
            derived=derived,
            mappings_directory=tables.directory,
            progress=progress,
        )

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [
            result
            for results in pool.map(run, by_file(tables.entries).values())
            for result in results
        ]
