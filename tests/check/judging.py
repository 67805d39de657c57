"""Draw findings of an installed package, and have their Nets compiled: what stands in a table.

`python -m tests.check.judging FOLDER SEED` draws from the package in FOLDER, at most six findings
of each rule, compiles, and prints one line for each: path, line, code, and `compiled` or `read`.
What is printed as `read` ran in no reduced form, or compiled everywhere, and is for a person.
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.check.checker import class_hits, function_context, function_hits
from porter.check.graph import Graph
from porter.check.kinds import Kinds
from porter.check.project import Project, find_files
from porter.check.rule import OPT_IN, ClassContext, Context, Hit
from porter.parity.worker import run_tasks
from tests.check.reduced import nets

JUDGEMENTS = Path(__file__).with_name("judgements.tsv")
EACH = 6
Place = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one finding: `right`, `mended` (no finding any more) or `wrong`."""

    path: str
    line: int
    code: str
    verdict: str
    how: str
    note: str

    @property
    def place(self) -> Place:
        return (self.path, self.line, self.code)


def judgements() -> list[Judgement]:
    """Read the table."""
    with JUDGEMENTS.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return [
            Judgement(
                row["path"],
                int(row["line"]),
                row["code"],
                row["verdict"],
                row["how"],
                row["note"],
            )
            for row in rows
        ]


def found(root: Path) -> dict[Place, tuple[Context | ClassContext, Hit]]:
    """Check a folder, and return what was found with what the rules knew."""
    project = Project()
    names = [project.add_file(path) for path in find_files([root])]
    graph = Graph(project, [item for item in names if item is not None])
    kinds = Kinds(graph)
    places: dict[Place, tuple[Context | ClassContext, Hit]] = {}
    for context, hit in _hits(graph, kinds):
        if hit.code not in OPT_IN:
            path = context.names.module.path.resolve().relative_to(root.resolve()).as_posix()
            places.setdefault((path, hit.node.lineno, hit.code), (context, hit))  # type: ignore[attr-defined]
    return places


def _hits(graph: Graph, kinds: Kinds) -> Iterator[tuple[Context | ClassContext, Hit]]:
    for function in list(graph.functions.values()):
        context = function_context(graph, kinds, function)
        for hit in function_hits(context):
            yield context, hit
    for info in graph.cells.values():
        of_class = ClassContext(graph, kinds, info)
        for hit in class_hits(of_class):
            yield of_class, hit


def draw(places: Iterable[Place], seed: int) -> list[Place]:
    """Return at most six findings of each rule, the same for one seed."""
    by_code = defaultdict(list)
    for place in sorted(places):
        by_code[place[2]].append(place)
    numbers = random.Random(seed)
    return [
        place
        for _, items in sorted(by_code.items())
        for place in numbers.sample(items, min(EACH, len(items)))
    ]


def compiled(
    places: dict[Place, tuple[Context | ClassContext, Hit]], chosen: Iterable[Place], folder: Path
) -> dict[Place, bool]:
    """Tell of each finding whether a Net of its constructs fails, or differs from PYNATIVE_MODE."""
    tasks: dict[str, Place] = {}
    for number, place in enumerate(chosen):
        texts = list(nets(*places[place]))
        own = folder / f"{number:03d}"
        own.mkdir()
        for position, text in enumerate(texts):
            (own / f"net{position:02d}.py").write_text(text, "utf-8")
        if texts:
            tasks[own.name] = place
    outcomes = run_tasks(
        "tests.check.judge_worker",
        folder,
        ["start", *tasks],
        time_limit=240,
        progress=lambda _task: None,
        crash_code="PRT608",
    )
    return {
        place: outcomes[name].ok and confirms(outcomes[name].data) for name, place in tasks.items()
    }


def confirms(report: dict[str, Any]) -> bool:
    """Tell whether a report shows a failure or another value in some way of compiling.

    Where nothing runs in PYNATIVE_MODE, as without a kernel, GRAPH_MODE has to fail, too.
    """
    if not report["runs"]:
        return bool(report.get("graph"))
    return any(
        "error" in result or not result["same"]
        for run in report["runs"]
        for result in run["modes"].values()
    )


def main(folder: str, seed: str) -> int:
    """Draw, compile and print."""
    places = found(Path(folder))
    chosen = draw(places, int(seed))
    with tempfile.TemporaryDirectory() as work:
        confirmed = compiled(places, chosen, Path(work))
    for path, line, code in chosen:
        how = "compiled" if confirmed.get((path, line, code)) else "read"
        print(path, line, code, how, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
