"""Turn gradients, training steps and the statistics of the training mode into rows and findings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from porter.parity.compare_gradients import compare_gradients, compare_step
from porter.parity.folder import WorkFolder, errors_of, float64_of
from porter.parity.inputs import load_inputs
from porter.parity.results import GradientRow, GradientRun, RandomRow, RandomRun
from porter.parity.training import REPEATS, STEP
from porter.parity.worker import Outcome
from porter.recipe import Recipe
from porter.types import Finding
from porter.weights.dtypes import Array

_DEVIATIONS = 6.0
"""Standard deviations that a statistic may be off: chance alone does it once in 500 million."""


def gradient_runs(recipe: Recipe, work: WorkFolder, outcome: Outcome) -> list[GradientRun]:
    """Compare the gradients that a task wrote, and the parameters after its training step."""
    case = outcome.task.split("/")[1]
    if not outcome.ok:
        detail = outcome.detail
        return [GradientRun(case, code=outcome.code, message=outcome.message, detail=detail)]
    seconds = outcome.data["first_seconds"]
    verify = recipe.verify
    expected, errors = _converted(work, work.gradients(case))
    path = work.input_gradients(case)
    inputs = load_inputs(path)
    expected.update({f"input {name}": value for name, value in inputs.items()})
    if errors is not None:
        exact = load_inputs(float64_of(path))
        errors.update({f"input {name}": inputs[name] - value for name, value in exact.items()})
    rows = compare_gradients(
        expected,
        load_inputs(work.actual(outcome.task, 0)),
        tolerance=verify.gradient_tolerance,
        errors=errors,
        factor=verify.float64_factor,
    )
    runs = [_run(case, "gradients", rows, seconds)]
    if not outcome.data["step"]:
        return runs
    gradients = expected
    expected, errors = _converted(work, work.step(case))
    if errors is not None:
        rows = compare_step(
            expected,
            load_inputs(work.actual(outcome.task, 1)),
            errors,
            gradients,
            rows,
            length=STEP["lr"],
            factor=verify.float64_factor,
        )
        runs.append(_run(case, "step", rows, None))
    return runs


def _converted(work: WorkFolder, path: Path) -> tuple[dict[str, Array], dict[str, Array] | None]:
    """Return tensors of the reference by the port's names, and PyTorch's own errors in them."""
    errors = work.converted(errors_of(path))
    return (
        safetensors.numpy.load_file(work.converted(path)),
        safetensors.numpy.load_file(errors) if errors.exists() else None,
    )


def _run(case: str, kind: str, rows: Sequence[GradientRow], seconds: float | None) -> GradientRun:
    bad = next((row for row in rows if row.code), None)
    code, message = (bad.code, bad.message) if bad else ("", "")
    return GradientRun(case, kind, tuple(rows), seconds, code, message)


def gradient_findings(recipe: Recipe, run: GradientRun) -> Iterator[Finding]:
    """Yield one finding for all gradients, or parameters after a step, that do not hold."""
    step = run.kind == "step"
    place = f"{run.case}, {'after one step of AdamW' if step else 'gradients'}"
    if run.code and not run.rows:
        yield Finding(run.code, recipe.position, f"{place}: {run.message}")
        return
    bad = [row for row in run.rows if row.code]
    if bad:
        more = f" (and {len(bad) - 1} more of {len(run.rows)})" if len(bad) > 1 else ""
        text = f"{place}, {'' if step else 'by '}{bad[0].name}: {bad[0].message}{more}"
        yield Finding("PRT610", recipe.position, text)


def random_run(work: WorkFolder, outcome: Outcome) -> RandomRun:
    """Compare the statistics of the training mode."""
    case = outcome.task.split("/")[1]
    if not outcome.ok:
        return RandomRun(case, REPEATS, (), outcome.code, outcome.message, outcome.detail)
    expected = json.loads(work.statistics(case).read_text())
    rows = [
        *_dropout_rows(expected["dropout"], outcome.data["dropout"]),
        *_output_rows(expected["outputs"], outcome.data["outputs"]),
    ]
    bad = next((row for row in rows if row.code), None)
    code, message = (bad.code, bad.message) if bad else ("", "")
    return RandomRun(case, REPEATS, tuple(rows), code, message)


def _dropout_rows(expected: dict[str, Any], actual: dict[str, Any]) -> Iterator[RandomRow]:
    """Yield the share of zeros and the scale of each dropout that both sides have as a module."""
    for path, (keep, _, _) in expected.items():
        if path not in actual:
            continue
        kept, total, scale = actual[path]
        share = 1 - kept / total if total else math.nan
        limit = _DEVIATIONS * math.sqrt(keep * (1 - keep) / max(total, 1)) + 1 / max(total, 1)
        yield _row(path, "share of zeros", 1 - keep, share, limit)
        yield _row(path, "scale", 1 / keep, scale, 1e-3 / keep)


def _output_rows(expected: dict[str, Any], actual: dict[str, Any]) -> Iterator[RandomRow]:
    """Yield what each output is off evaluation mode; two samples are compared by their means."""
    measures = ("log of the mean square distance", "length along evaluation mode")
    for name, pairs in expected.items():
        if name not in actual:
            continue
        for column, measure in enumerate(measures):
            first, second = (np.array(values)[:, column] for values in (pairs, actual[name]))
            variance = first.var(ddof=1) / first.size + second.var(ddof=1) / second.size
            # Few passes are a poor estimate of a variance: a twentieth is never a difference.
            limit = _DEVIATIONS * math.sqrt(variance) + 0.05
            yield _row(name, measure, float(first.mean()), float(second.mean()), limit)


def _row(name: str, measure: str, torch: float, port: float, limit: float) -> RandomRow:
    if abs(torch - port) <= limit:  # written so that NaN is refused
        return RandomRow(name, measure, torch, port, limit)
    text = f"{name}: {measure} {port:.4g}, PyTorch has {torch:.4g}"
    return RandomRow(name, measure, torch, port, limit, "PRT614", text)


def random_findings(recipe: Recipe, run: RandomRun) -> Iterator[Finding]:
    """Yield one finding for all statistics of a case that do not hold."""
    if run.code:
        bad = sum(bool(row.code) for row in run.rows)
        more = f" (and {bad - 1} more of {len(run.rows)})" if bad > 1 else ""
        text = f"{run.case}, training mode: {run.message}{more}"
        yield Finding(run.code, recipe.position, text)
