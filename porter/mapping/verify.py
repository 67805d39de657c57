"""Prove mapping entries: run each sample in PyTorch and, ported by porter itself, in MindSpore."""

from __future__ import annotations

import ast
import json
import tempfile
from collections.abc import Callable, Sequence
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from porter.emit.write import write_port
from porter.mapping.load import Mapping
from porter.mapping.schema import Entry, Limit, Overload, Sample
from porter.parity.cells import expression_of, source_text, spellings
from porter.parity.samples import Case, cases_of, with_samples
from porter.parity.worker import Outcome, run_tasks
from porter.plan.context import RUNTIME
from porter.port import port_program
from porter.runtime_files import runtime_module
from porter.source.read import read_source
from porter.source.top_level import assigned_names
from porter.types import Finding, PortResult, Severity

MODES = ("graph", "pynative", "graph-dynamic", "gradient")
QUICK = ("graph", "pynative")
WORKER = "porter.parity.sample_worker"
TIME_LIMIT = 600.0


@dataclass(frozen=True, slots=True)
class SampleResult:
    """What became of one sample in one mode; `code` is empty where it holds.

    `limit` is the reason of an expected failure. A sample that fails as its entry says holds; one
    that does not fail as its entry says has PRT607. `outputs` counts the leaves compared.
    """

    case: Case
    mode: str
    code: str = ""
    message: str = ""
    limit: str = ""
    outputs: int = 0

    def __str__(self) -> str:
        call = expression_of(self.case)
        if self.case.init is not None:
            call = f"{self.case.entry.name}({ast.unparse(self.case.init.call)[2:-1]}): {call}"
        return f"{self.case.task} {self.mode}: {self.code} {self.message} [{call}]"


def verify_entries(
    entries: Sequence[Entry],
    mapping: Mapping,
    modes: Sequence[str] = QUICK,
    *,
    derived: bool = False,
    samples: AbstractMapping[str, Sequence[Sample]] | None = None,
    restart: bool = True,
    mappings_directory: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[SampleResult]:
    """Run every sample of `entries` in every mode, in one process after another.

    Args:
        derived: also run the other spellings of each sample whose port is another.
        samples: run these, by the name of the entry, where they are not the entries' own.
        restart: begin a new process after a failure, since MindSpore may be spoiled by one. Without
            it, many failures take a tenth of the time, and each is a suspicion only.
        mappings_directory: the folder laid over porter's own tables in `mapping`.
        progress: called with the name of each task that begins.

    Raises:
        PorterError: PRT901 for a sample that cannot be read.
    """
    if samples is not None:
        mapping = with_samples(mapping, samples)
        entries = [mapping.entries[entry.name] for entry in entries]
    every = [case for entry in entries for case in cases_of(entry)]
    broken = {case.task: text for case in every if (text := missing_runtime(case.overload))}
    cases = [case for case in every if case.task not in broken]
    refused = [
        SampleResult(case, mode, "PRT901", broken[case.task])
        for case in every
        for mode in modes
        if case.task in broken and _runs(case, mode)
    ]
    if not cases:
        return refused
    with tempfile.TemporaryDirectory(prefix="porter-samples-") as name:
        folder = Path(name)
        result, findings = port_cases(cases, mapping, folder)
        if derived:
            cases += different_spellings(cases, mapping, folder)
            result, findings = port_cases(cases, mapping, folder)
        write_port(result, folder / "port", force=True)
        job = {
            "mappings": str(mappings_directory) if mappings_directory else None,
            "samples": {
                name: [[sample.call, sample.init] for sample in given]
                for name, given in (samples or {}).items()
            },
            "restart": restart,
        }
        (folder / "job.json").write_text(json.dumps(job))
        tasks = [
            f"{mode}/{case.task}"
            for mode in modes
            for case in cases
            if case.task not in findings and _runs(case, mode)
        ]
        outcomes = run_tasks(
            WORKER,
            folder,
            ["import", *tasks],
            time_limit=TIME_LIMIT,
            progress=progress,
            crash_code="PRT608",
        )
    judged = [
        _judge(case, mode, outcomes, findings.get(case.task))
        for case in cases
        for mode in modes
        if _runs(case, mode)
    ]
    return refused + judged


def missing_runtime(overload: Overload) -> str:
    """Say which name of porter's runtime a spelling writes that is not there; empty where none."""
    written = " ".join([overload.target or "", overload.emit or "", *overload.defaults.values()])
    for module, name in RUNTIME.findall(written):
        if name not in runtime_names(module):
            return f"runtime.{module}.{name} does not exist"
    return ""


@lru_cache(maxsize=64)
def runtime_names(module: str) -> frozenset[str]:
    """Return the names that a module of porter's runtime defines or hands on."""
    try:
        tree = ast.parse(runtime_module(module).text)
    except OSError:
        return frozenset()
    return frozenset(
        name
        for node in tree.body
        for name in (
            [node.name]
            if isinstance(node, ast.ClassDef | ast.FunctionDef)
            else [alias.asname or alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom)
            else assigned_names(node)
        )
    )


def port_cases(
    cases: Sequence[Case], mapping: Mapping, folder: Path
) -> tuple[PortResult, dict[str, Finding]]:
    """Write the source of the cases as `source.py` and port it; return the findings by task.

    A finding that the entry itself announces, and notes of those, are none.
    """
    path = folder / "source.py"
    path.write_text(source_text(cases))
    source = read_source(str(path))
    result = port_program(source, mapping)
    lines = {
        node.name: range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in source.modules[0].tree.body
        if isinstance(node, ast.ClassDef)
    }
    found: dict[str, Finding] = {}
    for case in cases:
        announced = case.entry.finding.code if case.entry.finding else None
        for finding in result.findings:
            if finding.position.line in lines[case.class_name] and not (
                finding.code == announced or finding.severity is Severity.NOTE
            ):
                found.setdefault(case.task, finding)
    return result, found


def different_spellings(cases: Sequence[Case], mapping: Mapping, folder: Path) -> list[Case]:
    """Return the derived spellings of the cases whose port has other text than the sample's."""
    derived = [item for case in cases for item in spellings(case)]
    result, _ = port_cases([*cases, *derived], mapping, folder)
    texts = ported_bodies(result)
    seen = {(case.task, texts[case.class_name]) for case in cases}
    kept = []
    for case in derived:
        key = (case.task.partition(":")[0], texts[case.class_name])
        if key not in seen:
            seen.add(key)
            kept.append(case)
    return kept


def ported_bodies(result: PortResult) -> dict[str, str]:
    """Return the text below the head of each class that was ported."""
    (main,) = [file for file in result.files if file.path.name == "source.py"]
    return {
        node.name: "\n".join(ast.unparse(statement) for statement in node.body)
        for node in ast.parse(main.text).body
        if isinstance(node, ast.ClassDef)
    }


def _runs(case: Case, mode: str) -> bool:
    """Tell whether a mode says anything about a case: shapes and gradients need a tensor."""
    if mode == "graph-dynamic":
        return any(_rank(spec.shape, spec.values) for _, spec in case.call.arrays)
    if mode == "gradient":
        return case.entry.compare in ("close", "exact")
    return True


def _rank(shape: tuple[int, ...], values: object) -> int:
    return len(shape) if values is None else int(isinstance(values, list))


def _limit_of(case: Case, mode: str) -> Limit | None:
    dtypes = {spec.dtype for _, spec in case.call.arrays}
    for limit in case.entry.limits:
        if mode not in limit.modes or (limit.samples and case.index not in limit.samples):
            continue
        if not limit.dtypes or dtypes & set(limit.dtypes):
            return limit
    return None


def _judge(
    case: Case, mode: str, outcomes: dict[str, Outcome], finding: Finding | None
) -> SampleResult:
    if finding is not None:
        return SampleResult(case, mode, finding.code, f"while porting: {finding.message}")
    outcome = outcomes.get(f"{mode}/{case.task}")
    if outcome is None:
        outcome = outcomes["import"]
    limit = _limit_of(case, mode)
    if limit is not None:
        if outcome.ok:
            text = f"the limit no longer holds: {limit.reason}"
            return SampleResult(case, mode, "PRT607", text)
        return SampleResult(case, mode, limit=limit.reason)
    outputs = int(outcome.data.get("outputs", 0)) if outcome.ok else 0
    return SampleResult(case, mode, outcome.code, outcome.message, outputs=outputs)


def by_file(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Group entries by the table that they stand in."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.source, []).append(entry)
    return groups
