"""Read the examples of the checker's pages: what a block claims, and how it is run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.diagnostics.codes import CODES, page
from porter.parity.worker import Outcome, run_tasks

BLOCK = re.compile(
    r"```python (?P<verb>[a-z]+)(?: (?P<mode>[A-Z]+ [a-z]+))?\n(?P<text>.*?)```", re.S
)
MARK = re.compile(r"  # (PRT\d{3})$", re.M)
BAD = ("fails", "breaks", "differs", "misleads", "recompiles")
GOOD = ("works", "fixed", "instead", "compiles")
ALL_MODES = ("STRICT/static", "LAX/static", "STRICT/dynamic", "LAX/dynamic")


SEEN = re.compile(r"Seen on MindSpore ([\d.]+(?: and [\d.]+)*)\.$", re.M)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two examples of a page: what the rule finds, and what takes its place."""

    code: str
    bad_verb: str
    mode: str
    bad: str
    good_verb: str
    good: str

    @property
    def marks(self) -> list[tuple[str, int]]:
        """The codes that the comments of the first example promise, with their lines."""
        lines = self.bad.splitlines()
        return [
            (found.group(1), number)
            for number, line in enumerate(lines, 1)
            if (found := MARK.search(line))
        ]

    @property
    def versions(self) -> list[str]:
        """The versions of MindSpore on which the page says that the rule was seen."""
        found = SEEN.search(page(CODES[self.code]))
        assert found is not None, self.code
        return found.group(1).split(" and ")

    @property
    def unmarked(self) -> str:
        """The first example without the comments that promise codes."""
        return MARK.sub("", self.bad)


def pairs() -> list[Pair]:
    """Return the examples of all rules, in the order of their codes."""
    found = []
    for code in CODES.values():
        blocks = [match for match in BLOCK.finditer(page(code)) if match["verb"] in BAD + GOOD]
        if not blocks:
            continue
        bad, good = blocks
        found.append(
            Pair(
                code.code,
                bad["verb"],
                bad["mode"].replace(" ", "/"),
                bad["text"],
                good["verb"],
                good["text"],
            )
        )
    return found


def compile_pages(root: Path) -> dict[str, dict[str, Any]]:
    """Compile the examples of all pages, and return the report of each by its code."""
    for pair in pairs():
        write_job(
            root / pair.code,
            {"good": pair.good, "bad": pair.bad},
            {"good": ALL_MODES, "bad": (pair.mode,)},
        )
    return run_jobs(root)


def write_job(folder: Path, texts: dict[str, str], modes: dict[str, tuple[str, ...]]) -> None:
    """Write files and the ways in which they are to be compiled."""
    folder.mkdir()
    for stem, text in texts.items():
        (folder / f"{stem}.py").write_text(text, "utf-8")
    (folder / "job.json").write_text(json.dumps(modes), "utf-8")


def run_jobs(root: Path) -> dict[str, dict[str, Any]]:
    """Run the jobs below a folder in worker processes, and return the report of each.

    Where a job ended its process, the report holds what it had found before, and an error for the
    run that did so: some failed compilations abort, now and then.
    """
    names = sorted(path.parent.name for path in root.glob("*/job.json"))
    outcomes = _outcomes(root, names)
    # One that ended its process before it had found anything is given a second process.
    ended = [
        name
        for name in names
        if name in outcomes
        and outcomes[name].code == "PRT608"
        and not (root / name / "report.json").exists()
    ]
    if ended:
        outcomes |= _outcomes(root, ended)
    reports = {}
    for name in names:
        assert name in outcomes, outcomes["start"].message
        kept = root / name / "report.json"
        if outcomes[name].code == "PRT608" and kept.exists():
            reports[name] = json.loads(kept.read_text("utf-8"))
        else:
            assert outcomes[name].ok, f"{name}: {outcomes[name].message}"
            reports[name] = outcomes[name].data
    return reports


def _outcomes(root: Path, names: list[str]) -> dict[str, Outcome]:
    return run_tasks(
        "tests.check.example_worker",
        root,
        ["start", *names],
        time_limit=180,
        progress=lambda _task: None,
        crash_code="PRT608",
    )


def holds(pair: Pair, report: dict[str, Any]) -> bool:
    """Tell whether a run of the first example is as the page claims."""
    pynative, graph = report["bad"]["pynative"], report["bad"][pair.mode]
    if pair.bad_verb == "breaks":
        return "error" in pynative and "error" in graph
    if "error" in pynative:
        return False
    if pair.bad_verb == "fails":
        return "error" in graph
    if pair.bad_verb == "differs":
        return graph.get("same") is False
    if pair.bad_verb == "misleads":
        return graph.get("same") is True and report["agree"] is False
    return bool(graph.get("compilations", 0) > 1)
