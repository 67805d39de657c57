"""Run samples that are not the tables' own, and sort what becomes of them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.mapping.load import Mapping
from porter.mapping.schema import Sample
from porter.mapping.verify import SampleResult, verify_entries
from porter.types import PorterError

SILENT = ("PRT601", "PRT602", "PRT603", "PRT612")
"""Another shape, dtype, value or structure than PyTorch's, without an error."""
BATCH = 25
KNOWN = Path(__file__).with_name("known_differences.toml")


@dataclass(slots=True)
class Sweep:
    """Samples by what became of them; a sample that PyTorch itself refuses is in none."""

    equal: int = 0
    refused: int = 0
    failed: int = 0
    different: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        wrong = sum(map(len, self.different.values()))
        total = self.equal + self.refused + self.failed + wrong
        return (
            f"{total} samples: {self.equal} equal ({100 * self.equal / max(total, 1):.1f} %), "
            f"{self.refused} with a finding, {self.failed} fail to compile or to run, "
            f"{wrong} differ"
        )


def sweep(
    mapping: Mapping,
    samples: AbstractMapping[str, Sequence[Sample]],
    directory: Path | None = None,
) -> Sweep:
    """Run samples, by the name of their entry, in GRAPH_MODE; `directory` is laid over `mapping`.

    What differs is run again in a process of its own: MindSpore may be spoiled by a failure before.
    """

    def run(chosen: AbstractMapping[str, Sequence[Sample]], restart: bool) -> list[SampleResult]:
        return verify_entries(
            [mapping.entries[name] for name in chosen],
            mapping,
            ["graph"],
            samples=chosen,
            restart=restart,
            mappings_directory=directory,
        )

    result = Sweep()
    names = [name for name in samples if mapping.entries[name].compare in ("close", "exact")]
    for start in range(0, len(names), BATCH):
        doubtful: dict[str, list[Sample]] = {}
        for item in run({name: samples[name] for name in names[start : start + BATCH]}, False):
            if item.code in SILENT:
                every = [s for spelling in item.case.entry.overloads for s in spelling.samples]
                doubtful.setdefault(item.case.entry.name, []).append(every[item.case.index])
            else:
                _count(result, item)
        for item in run(doubtful, True) if doubtful else []:
            _count(result, item)
    return result


def _count(result: Sweep, run: SampleResult) -> None:
    if not run.code:
        result.equal += 1
    elif run.message.startswith("while porting"):
        result.refused += 1
    elif run.code in SILENT:
        result.different.setdefault(run.case.entry.name, []).append(str(run))
    elif run.code != "PRT609":
        result.failed += 1


def known_differences(source: str, *, certain: bool = False) -> dict[str, str]:
    """Return why entries may differ for samples of `source`; if asked, of those that always do."""
    try:
        table = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PorterError("PRT901", f"{KNOWN.name}: {error}") from error
    return {
        name: item["reason"]
        for name, item in table.items()
        if source in item["samples"] and not (certain and item.get("chance"))
    }
