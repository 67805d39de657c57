"""Turn the outcomes of the workers into the rows and findings of a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from porter.parity.collect_training import (
    gradient_findings,
    gradient_runs,
    random_findings,
    random_run,
)
from porter.parity.compare import compare_leaves, compare_modes
from porter.parity.folder import Job, WorkFolder, float64_of, perturbed_of
from porter.parity.histogram import histogram
from porter.parity.losses import REFERENCE_TASK, loss_findings, loss_run
from porter.parity.results import Histogram, ParityReport, RunRow, Side, VariantRows
from porter.parity.tasks import RunTask
from porter.parity.tree import load_leaves
from porter.parity.worker import Outcome
from porter.recipe import MODES, Recipe
from porter.types import Finding

Outcomes = dict[str, Outcome]
_REFERENCE = {"build", "case", "half", "gradient", "training", REFERENCE_TASK}


def collect(job: Job, work: WorkFolder, outcomes: Outcomes) -> ParityReport:
    """Compare what lies in the work folder and return the report, but for the modules."""
    recipe = job.recipe
    runs = [_run(recipe, work, task, outcomes) for task in outcomes if task.startswith("run/")]
    runs += [_export(recipe, work, task, outcomes) for task in outcomes if "export/" in task]
    gradients = [
        run
        for task in outcomes
        if task.startswith("backward/")
        for run in gradient_runs(recipe, work, outcomes[task])
    ]
    random = [random_run(work, outcomes[task]) for task in outcomes if task.startswith("random/")]
    trained = loss_run(recipe.training, outcomes) if recipe.training is not None else None
    losses = () if trained is None else (trained,)
    findings = [
        *_failed(recipe, outcomes),
        *(item for run in runs for item in _run_findings(recipe, run)),
        *_disagreements(recipe, work, runs),
        *(item for run in gradients for item in gradient_findings(recipe, run)),
        *(item for run in random for item in random_findings(recipe, run)),
        *(item for run in losses for item in loss_findings(recipe.position, run)),
    ]
    if not findings and not any(variant.outputs for run in runs for variant in run.variants):
        findings.append(Finding("PRT612", recipe.position, "no output was compared"))
    built = outcomes["build"]
    return ParityReport(
        recipe=str(recipe.path),
        source=recipe.source.reference,
        port=str(job.port),
        weights=str(job.weights) if job.weights.exists() else None,
        versions={},
        parameters=int(built.data.get("parameters", 0)),
        runs=tuple(runs),
        gradients=tuple(gradients),
        notes=tuple(_notes(recipe, outcomes, runs)),
        findings=tuple(findings),
        random=tuple(random),
        losses=losses,
        histograms=tuple(_histograms(work, runs)),
        tolerance=_tolerance(recipe),
        document=recipe.document,
    )


def _run(recipe: Recipe, work: WorkFolder, task: str, outcomes: Outcomes) -> RunRow:
    parsed = RunTask.parse(task)
    row = RunRow(parsed.case, parsed.mode, parsed.syntax, parsed.shapes, parsed.dtype)
    return _with_outputs(row, recipe, work, outcomes[task])


def _export(recipe: Recipe, work: WorkFolder, task: str, outcomes: Outcomes) -> RunRow:
    row = RunRow(task.split("/")[1], "export", "", "")
    return _with_outputs(row, recipe, work, outcomes[task])


def _with_outputs(row: RunRow, recipe: Recipe, work: WorkFolder, outcome: Outcome) -> RunRow:
    if not outcome.ok:
        return replace(row, code=outcome.code, message=outcome.message, detail=outcome.detail)
    variants = []
    for variant in outcome.data.get("variants", [0]):
        path = work.expected(row.case, variant, _task_of(row).expected)
        yardstick, perturbed, expected = float64_of(path), perturbed_of(path), load_leaves(path)
        if row.mode == "export":
            expected = {name: leaf for name, leaf in expected.items() if leaf.kind == "tensor"}
        rows = compare_leaves(
            expected,
            load_leaves(work.actual(outcome.task, variant)),
            load_leaves(yardstick) if yardstick.exists() else {},
            recipe.verify,
            load_leaves(perturbed) if perturbed.exists() else {},
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
        "half": "running PyTorch in half precision",
        "training": "running PyTorch in training mode",
        REFERENCE_TASK: "training PyTorch",
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
    mode = f" --mode {run.mode}" if run.mode in MODES else ""
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
            (
                item
                for item in runs
                if (item.case, item.mode, item.dtype) == (run.case, "pynative", run.dtype)
            ),
            None,
        )
        if run.mode != "graph" or not run.variants or eager is None or not eager.variants:
            continue
        path = work.expected(run.case, 0, run.dtype)
        exact = float64_of(path)
        text = compare_modes(
            load_leaves(path),
            load_leaves(exact) if exact.exists() else {},
            load_leaves(_actual(work, eager, 0)),
            load_leaves(_actual(work, run, 0)),
            recipe.verify,
        )
        if text:
            yield Finding("PRT604", recipe.position, f"{run.case}, {run.label}: {text}")


def _task_of(run: RunRow) -> RunTask:
    return RunTask(run.case, run.mode, run.syntax, run.shapes, run.dtype)


def _actual(work: WorkFolder, run: RunRow, variant: int) -> Path:
    """Return where the outputs lie that a run compares."""
    task = f"export/{run.case}" if run.mode == "export" else _task_of(run).text
    return work.actual(task, variant)


def _tolerance(recipe: Recipe) -> str:
    verify = recipe.verify
    given = {
        key: value
        for key in ("absolute_tolerance", "relative_tolerance", "gradient_tolerance")
        if (value := getattr(verify, key)) is not None
    }
    text = (
        f"an error against float64 of at most {verify.float64_factor:g} times PyTorch's own, "
        "with a floor from the dtype's epsilon"
    )
    if given:
        listed = ", ".join(f"{key} = {value:g}" for key, value in given.items())
        text += f"; set by the recipe instead: {listed}"
    return text


def _histograms(work: WorkFolder, runs: list[RunRow]) -> Iterator[Histogram]:
    """Yield the errors of the worst output, the one that uses most of its tolerance."""
    rows = [
        (row.port_error / row.tolerance, run, group.variant, row)
        for run in runs
        for group in run.variants
        for row in group.outputs
        if row.tolerance and row.port_error is not None and row.torch_error is not None
    ]
    if not rows:
        return
    _, run, variant, row = max(rows, key=lambda item: item[0])
    path = work.expected(run.case, variant, _task_of(run).expected)
    exact, torch, port = (
        np.asarray(load_leaves(file)[row.name].array)
        for file in (float64_of(path), path, _actual(work, run, variant))
    )
    yield histogram(run.case, run.label, row.name, np.abs(torch - exact), np.abs(port - exact))


def sides(outcomes: Outcomes) -> tuple[Side, ...]:
    """Return what the processes of each framework took."""
    of_torch = [item for task, item in outcomes.items() if _is_reference(task)]
    of_port = [item for task, item in outcomes.items() if not _is_reference(task)]
    return tuple(
        Side(
            name,
            round(sum(item.seconds for item in items), 2),
            max((item.peak_bytes for item in items), default=0),
        )
        for name, items in (("torch", of_torch), ("mindspore", of_port))
    )


def _is_reference(task: str) -> bool:
    kind, *rest = task.split("/")
    return kind in _REFERENCE or (kind == "record" and len(rest) == 1)


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
        if gradient is not None and gradient.ok:
            if gradient.data["skipped"]:
                yield f"{case.name}: no gradients: {gradient.data['skipped']}"
            elif gradient.data["float64"]:
                yield f"{case.name}: no float64 gradients: {gradient.data['float64']}"
    for run in runs:
        if run.shapes == "dynamic" and run.compilations and run.compilations > 1:
            yield f"{run.case}, {run.label}: {run.compilations} compilations, one was enough"
