"""Turn the records of both sides into rows of modules, and into the place of the first fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from porter.parity.calltree import load_calls
from porter.parity.folder import Job, WorkFolder, float64_of
from porter.parity.locate import ModuleComparison
from porter.parity.results import Location, ModuleRun
from porter.parity.tasks import RECORD_MODES
from porter.parity.worker import Outcome
from porter.types import Finding, Position


def collect_modules(
    job: Job,
    work: WorkFolder,
    outcomes: Mapping[str, Outcome],
    cases: Sequence[str],
    failed: set[str],
) -> tuple[list[ModuleRun], list[Finding]]:
    """Compare the records of these cases; in `failed` are those with an output that does not hold.

    The record in GRAPH_MODE is taken where there is one, else that in PYNATIVE_MODE. The findings:
    PRT615, a note, for each located fault, and PRT613 where nothing could be recorded or where the
    record does not show the fault.
    """
    runs, findings = [], []
    for case in cases:
        run = _module_run(job, work, outcomes, case)
        if case not in failed:
            run = replace(run, location=None)  # rounding inside a model whose outputs hold
        elif run.location is None and not run.code:
            text = f"recorded in {run.mode}, every module agrees; the fault is in another mode"
            run = replace(run, code="PRT613", message=text)
        runs.append(run)
        if run.location is not None:
            findings.append(_located(job, run.location))
        elif run.code:
            place = job.recipe.position
            findings.append(Finding(run.code, place, f"{case}: {run.message}"))
    return runs, findings


def _module_run(
    job: Job, work: WorkFolder, outcomes: Mapping[str, Outcome], case: str
) -> ModuleRun:
    reference = outcomes[f"record/{case}"]
    recorded = {mode: outcomes.get(f"record/{case}/{mode}") for mode in RECORD_MODES}
    if not reference.ok:
        return ModuleRun(case, "", code="PRT613", message=f"PyTorch: {reference.message}")
    eager, graph = recorded["pynative"], recorded["graph"]
    if eager is None or not eager.ok:
        why = eager.message if eager else "nothing ran"
        detail = eager.detail if eager else ""
        text = f"the modules cannot be recorded: {why}"
        return ModuleRun(case, "pynative", code="PRT613", message=text, detail=detail)
    mode = "graph" if graph is not None and graph.ok else "pynative"
    calls = load_calls(work.record("torch", case))
    yardstick = float64_of(work.record("torch", case))
    exact = load_calls(yardstick) if reference.data["float64"] == "" else []
    port = load_calls(work.record(mode, case))
    comparison = ModuleComparison(calls, exact, port, job.recipe.verify)
    label = f"graph {job.recipe.verify.syntax[0]}" if mode == "graph" else "pynative"
    location = comparison.locate(case, label)
    run = ModuleRun(case, label, comparison.rows(), location)
    if mode == "pynative" and graph is not None:
        text = f"recorded in PYNATIVE_MODE, since the graph cannot be: {graph.message}"
        return ModuleRun(case, label, run.rows, location, "PRT613", text, graph.detail)
    return run


def _located(job: Job, location: Location) -> Finding:
    module = location.path or "the model itself"
    call = f", call {location.call}" if location.call else ""
    text = (
        f"{location.case}, {location.mode}: the first fault is in {module} "
        f"({location.class_name}{call}); {location.message}"
    )
    if location.after or location.before:
        between = [f"after {location.after}"] if location.after else []
        between += [f"before {location.before}"] if location.before else []
        text += f"; in its own code, {' and '.join(between)}"
    source = location.source
    hint = f"the original: {source.path}:{source.line}" if source else None
    position = job.recipe.position
    if location.port is not None:
        position = Position(location.port.path, location.port.line)
    return Finding("PRT615", position, text, hint=hint)
