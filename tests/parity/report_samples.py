"""Make reports with every kind of row, for the tests of each form of report."""

from __future__ import annotations

import math
from dataclasses import replace

from porter.parity.results import (
    GradientRow,
    GradientRun,
    Histogram,
    Location,
    LossRun,
    ModuleRow,
    ModuleRun,
    OutputRow,
    ParityReport,
    Place,
    RandomRow,
    RandomRun,
    RunRow,
    Side,
    VariantRows,
)
from porter.types import Finding, Position, Severity

HOSTILE = "<script>alert(1)</script><b>'\"&amp;"
RULES = ("float64", "torch", "recipe", "equal")


def output(name: str, index: int, code: str = "", message: str = "") -> OutputRow:
    """Return an output whose figures differ from those of every other `index`."""
    error = (index + 1) * 1e-7
    return OutputRow(
        name,
        shape=(2, 3, index + 1),
        dtype="float32",
        maximum_absolute=error,
        maximum_relative=error * 3,
        index=(0, 1, index),
        torch_error=error / 2,
        port_error=1e-2 if code else error,
        tolerance=1e-5,
        used=(1e-2 if code else error) / 1e-5,
        rule=RULES[index % len(RULES)],
        unusable=index % 2,
        code=code,
        message=message,
    )


def runs(fault: str = "") -> tuple[RunRow, ...]:
    """Return runs of two cases in each mode; with a `fault` an output is off and a run fails."""
    made: list[RunRow] = []
    for case in ("queries", "text"):
        for mode, syntax, shapes in (
            ("graph", "STRICT", "static"),
            ("graph", "LAX", "dynamic"),
            ("pynative", "", ""),
        ):
            variants = [
                VariantRows(
                    number,
                    tuple(
                        output(f"{name}", len(made) + number + place)
                        for place, name in enumerate(("last_hidden_state", "pooler_output"))
                    ),
                )
                for number in range(2 if shapes == "dynamic" else 1)
            ]
            made.append(
                RunRow(
                    case,
                    mode,
                    syntax,
                    shapes,
                    variants=tuple(variants),
                    first_seconds=1.5,
                    call_seconds=0.02,
                    compilations=1 if mode == "graph" else None,
                )
            )
    if fault:
        message = f"off by 0.01 {fault}"
        bad = VariantRows(0, (output("last_hidden_state", 9, "PRT603", message),))
        made[0] = replace(made[0], variants=(bad,), code="PRT603", message=message)
        made.append(
            RunRow(
                "text", "export", "", "", code="PRT606", message="no graph", detail="\x1b[1mline"
            )
        )
    return tuple(made)


def module_rows(count: int, located: int | None = None) -> tuple[ModuleRow, ...]:
    """Return calls of modules, off from `located` on; one is exact and one is not compared."""
    rows = []
    for number in range(count):
        off = located is not None and number >= located
        error = 1e-7 * (1 + number / 10)
        rows.append(
            ModuleRow(
                f"encoder.layer.{number}",
                0,
                "Layer",
                2,
                error,
                1e-2 if off else error * 1.1,
                scale=4.0,
                limit=error * 4,
                inputs_agree=number == located or not off,
                code="PRT603" if off else "",
                message="off" if off else "",
            )
        )
    rows[0] = replace(rows[0], torch_error=0.0, port_error=0.0)
    message = "PyTorch gives no tensor"
    rows[1] = replace(
        rows[1], torch_error=None, port_error=None, scale=None, limit=None, message=message
    )
    return tuple(rows)


def passing_report() -> ParityReport:
    """Return a report with every part, in which all holds."""
    gradients = tuple(
        GradientRow(f"layer.{number}.weight", (3, number), 0.5, 1e-7 * number, 1e-5, judged=7)
        for number in range(1, 12)
    )
    random = (RandomRow("dropout", "share of zeros", 0.1, 0.102, 0.01),)
    return ParityReport(
        recipe="recipe.toml",
        source="models.bert:Bert",
        port="out",
        weights="bert.ckpt",
        versions={"python": "3.11.7", "torch": "2.13.0", "mindspore": "2.10.0"},
        parameters=123456,
        runs=runs(),
        gradients=(
            GradientRun("queries", rows=gradients, first_seconds=2.0),
            GradientRun("queries", kind="step", rows=gradients[:3], first_seconds=3.0),
        ),
        notes=("text: no gradients: integer outputs",),
        findings=(),
        random=(RandomRun("queries", 32, random),),
        losses=(LossRun("train", (3.0, 2.0), (3.0, 2.000002), 1e-3, 1e-6, 2, 1.5, 9.0),),
        modules=(ModuleRun("queries", "graph", module_rows(12)),),
        histograms=(
            Histogram(
                "queries", "graph", "pooler_output", (-8.0, -7.0, -6.0), (3, 4), (5, 2), 1, 0
            ),
        ),
        sides=(Side("torch", 12.5, 900 << 20), Side("mindspore", 40.0, 2100 << 20)),
        seconds=55.0,
        command="porter verify recipe.toml --port out",
        tolerance="An output holds where its error is at most four times PyTorch's own.",
        document={"source": {"module": "models.bert", "class": "Bert"}},
    )


def failing_report() -> ParityReport:
    """Return a report in which each part has something off, in words that are no HTML."""
    base = passing_report()
    location = Location(
        "queries",
        "graph",
        "encoder.layer.5",
        0,
        "Layer",
        f"off by 0.01 {HOSTILE}",
        after="encoder.layer.4",
        before="encoder.layer.6",
        port=Place("out/bert.py", 40, f"    return x + 1  # {HOSTILE}"),
        source=Place("models/bert.py", 51, "    return x"),
    )
    rows = list(module_rows(12, located=5))
    rows[5] = replace(rows[5], class_name=HOSTILE)
    rows[7] = replace(rows[7], path=HOSTILE, port_error=math.inf)
    bad = GradientRow("bias", (3,), 0.5, math.nan, 1e-5, code="PRT610", message="not finite")
    findings = (
        Finding("PRT603", Position("recipe.toml"), f"queries: {HOSTILE}", hint=f"see {HOSTILE}"),
        Finding("PRT606", Position("recipe.toml"), "text: export: no graph"),
        Finding("PRT610", Position("recipe.toml"), "bias", severity=Severity.WARNING),
    )
    return replace(
        base,
        runs=runs(HOSTILE),
        gradients=(
            GradientRun("queries", rows=(*base.gradients[0].rows, bad), code="PRT610"),
            GradientRun("text", code="PRT606", message="no graph", detail="trace"),
            GradientRun("queries", kind="step", rows=(bad,), code="PRT610"),
        ),
        random=(
            RandomRun(
                "queries", 32, (RandomRow("dropout", "scale", 1.1, 1.0, 0.01, "PRT603", "off"),)
            ),
            RandomRun("text", 32, code="PRT606", message="no graph"),
        ),
        losses=(
            LossRun("train", (3.0,), (math.nan,), 1e-3, math.inf, 1, 1.5, 9.0, "PRT616", HOSTILE),
        ),
        modules=(
            ModuleRun("queries", "graph", tuple(rows), location),
            ModuleRun("text", "graph", code="PRT606", message="no graph", detail="trace"),
        ),
        findings=findings,
        document={"source": {"class": HOSTILE}},
    )


def bare_report() -> ParityReport:
    """Return a report of a verification that got as far as its recipe."""
    finding = Finding("PRT608", Position("recipe.toml"), "torch: the worker ended")
    return ParityReport("recipe.toml", "m:Net", "out", None, {}, 0, (), (), (), (finding,))
