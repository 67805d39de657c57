"""Turn the outcomes of the workers into the rows and findings of a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from porter.parity.compare import compare_leaves
from porter.parity.folder import Job, WorkFolder
from porter.parity.results import GradientRow, GradientRun, ParityReport, RunRow, VariantRows
from porter.parity.tree import Leaf, load_leaves
from porter.parity.worker import Outcome
from porter.recipe import Recipe
from porter.types import Finding

Outcomes = dict[str, Outcome]


def collect(
    job: Job, work: WorkFolder, outcomes: Outcomes, versions: dict[str, str]
) -> ParityReport:
    """Compare what lies in the work folder and return the report."""
    recipe = job.recipe
    runs = [_run(recipe, work, task, outcomes) for task in outcomes if task.startswith("run/")]
    runs += [_export(recipe, work, task, outcomes) for task in outcomes if "export/" in task]
    gradients = [_gradient(outcomes[task]) for task in outcomes if task.startswith("backward/")]
    findings = [
        *_failed(recipe, outcomes),
        *(item for run in runs for item in _run_findings(recipe, run)),
        *_disagreements(recipe, work, runs),
        *(item for run in gradients for item in _gradient_findings(recipe, run)),
    ]
    if not findings and not any(variant.outputs for run in runs for variant in run.variants):
        findings.append(Finding("PRT612", recipe.position, "no output was compared"))
    built = outcomes["build"]
    return ParityReport(
        recipe=str(recipe.path),
        source=recipe.source.reference,
        port=str(job.port),
        weights=str(job.weights) if job.weights.exists() else None,
        versions=versions,
        parameters=int(built.data.get("parameters", 0)),
        runs=tuple(runs),
        gradients=tuple(gradients),
        notes=tuple(_notes(recipe, outcomes, runs)),
        findings=tuple(findings),
    )


def _run(recipe: Recipe, work: WorkFolder, task: str, outcomes: Outcomes) -> RunRow:
    _, case, mode, syntax, shapes = task.split("/")
    row = RunRow(case, mode, syntax, shapes)
    return _with_outputs(row, recipe, work, outcomes[task])


def _export(recipe: Recipe, work: WorkFolder, task: str, outcomes: Outcomes) -> RunRow:
    row = RunRow(task.split("/")[1], "export", "", "")
    return _with_outputs(row, recipe, work, outcomes[task])


def _with_outputs(row: RunRow, recipe: Recipe, work: WorkFolder, outcome: Outcome) -> RunRow:
    if not outcome.ok:
        return replace(row, code=outcome.code, message=outcome.message, detail=outcome.detail)
    variants = []
    for variant in outcome.data.get("variants", [0]):
        yardstick = work.expected(row.case, variant, "float64")
        expected = load_leaves(work.expected(row.case, variant))
        if row.mode == "export":
            expected = {name: leaf for name, leaf in expected.items() if leaf.kind == "tensor"}
        rows = compare_leaves(
            expected,
            load_leaves(work.actual(outcome.task, variant)),
            load_leaves(yardstick) if yardstick.exists() else {},
            recipe.verify,
        )
        variants.append(VariantRows(variant, tuple(rows)))
    bad = next((item for group in variants for item in group.outputs if item.code), None)
    return replace(
        row,
        variants=tuple(variants),
        first_seconds=outcome.data["first_seconds"],
        call_seconds=outcome.data.get("call_seconds"),
        compilations=outcome.data.get("compilations") if row.mode == "graph" else None,
        code=bad.code if bad else "",
        message=bad.message if bad else "",
    )


def _gradient(outcome: Outcome) -> GradientRun:
    case = outcome.task.split("/")[1]
    if not outcome.ok:
        detail = outcome.detail
        return GradientRun(case, code=outcome.code, message=outcome.message, detail=detail)
    rows = tuple(
        GradientRow(**{**row, "shape": tuple(row["shape"])}) for row in outcome.data["rows"]
    )
    bad = next((row for row in rows if row.code), None)
    code, message = (bad.code, bad.message) if bad else ("", "")
    return GradientRun(case, "gradients", rows, outcome.data["first_seconds"], code, message)


def _failed(recipe: Recipe, outcomes: Outcomes) -> Iterator[Finding]:
    """Yield a finding for each task without rows: the reference's, and loading the weights."""
    optional = {
        f"case/{case.name}/{variant}"
        for case in recipe.cases
        for variant in range(1, len(case.variants))
        if case.optional_variants
    }
    what = {
        "build": "building the PyTorch module",
        "weights": "loading the port's weights",
        "case": "running PyTorch",
        "gradient": "the gradients of PyTorch",
    }
    for task, outcome in outcomes.items():
        kind, *rest = task.split("/")
        if outcome.ok or kind not in what or task in optional:
            continue
        if kind != "build" and kind != "weights" and not outcomes["build"].ok:
            continue
        place = f" for {', shape '.join(rest)}" if rest else ""
        message = f"{what[kind]}{place}: {outcome.message}"
        yield Finding(outcome.code, recipe.position, message)


def _run_findings(recipe: Recipe, run: RunRow) -> Iterator[Finding]:
    """Yield one finding for each code in a run, with its first output."""
    mode = f" --mode {run.mode}" if run.mode != "export" else ""
    hint = f"porter verify {recipe.path} --case {run.case}{mode}"
    place = f"{run.case}, {run.label}"
    if run.code and not run.variants:
        yield Finding(run.code, recipe.position, f"{place}: {run.message}", hint=hint)
        return
    seen: dict[str, str] = {}
    count: dict[str, int] = {}
    for group in run.variants:
        for row in group.outputs:
            if row.code:
                shapes = f", shape {group.variant}" if group.variant else ""
                seen.setdefault(row.code, f"{row.name}{shapes}: {row.message}")
                count[row.code] = count.get(row.code, 0) + 1
    for code, text in seen.items():
        more = f" (and {count[code] - 1} more)" if count[code] > 1 else ""
        final = "PRT611" if run.mode == "export" else code
        yield Finding(final, recipe.position, f"{place}, {text}{more}", hint=hint)


def _disagreements(recipe: Recipe, work: WorkFolder, runs: list[RunRow]) -> Iterator[Finding]:
    """Yield a finding where a graph and PYNATIVE, both of which ran, give different values."""
    for run in runs:
        eager = next(
            (item for item in runs if item.case == run.case and item.mode == "pynative"), None
        )
        if run.mode != "graph" or not run.variants or eager is None or not eager.variants:
            continue
        task = f"run/{run.case}/{run.mode}/{run.syntax}/{run.shapes}"
        first: dict[str, Leaf] = load_leaves(work.actual(f"run/{run.case}/pynative//", 0))
        rows = compare_leaves(first, load_leaves(work.actual(task, 0)), {}, recipe.verify)
        bad = next((row for row in rows if row.code), None)
        if bad is not None:
            message = bad.message.replace("PyTorch", "PYNATIVE")
            text = f"{run.case}, {run.label}, {bad.name}: {message}"
            yield Finding("PRT604", recipe.position, text)


def _gradient_findings(recipe: Recipe, run: GradientRun) -> Iterator[Finding]:
    place = f"{run.case}, gradients"
    if run.code and not run.rows:
        yield Finding(run.code, recipe.position, f"{place}: {run.message}")
        return
    bad = [row for row in run.rows if row.code]
    if bad:
        more = f" (and {len(bad) - 1} more of {len(run.rows)})" if len(bad) > 1 else ""
        text = f"{place}, by {bad[0].name}: {bad[0].message}{more}"
        yield Finding("PRT610", recipe.position, text)


def _notes(recipe: Recipe, outcomes: Outcomes, runs: list[RunRow]) -> Iterator[str]:
    for case in recipe.cases:
        for variant in range(len(case.variants)):
            outcome = outcomes.get(f"case/{case.name}/{variant}")
            if outcome is None or not outcomes["build"].ok:
                continue
            if not outcome.ok and case.optional_variants and variant:
                yield f"{case.name}: PyTorch takes no other batch size: {outcome.message}"
            elif outcome.ok and outcome.data["float64"] and not variant:
                yield f"{case.name}: no float64 yardstick: {outcome.data['float64']}"
        gradient = outcomes.get(f"gradient/{case.name}")
        if gradient is not None and gradient.ok and gradient.data["skipped"]:
            yield f"{case.name}: no gradients: {gradient.data['skipped']}"
    for run in runs:
        if run.shapes == "dynamic" and run.compilations and run.compilations > 1:
            yield f"{run.case}, {run.label}: {run.compilations} compilations, one was enough"
