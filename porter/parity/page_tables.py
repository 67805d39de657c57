"""Turn every part of a verification's result into a table for the HTML page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from porter.pages.tables import Cell, Column, Line, PageTable, figure, texts
from porter.parity.report import KINDS, untold, used
from porter.parity.results import (
    GradientRun,
    ModuleRow,
    ModuleRun,
    OutputRow,
    ParityReport,
    RandomRun,
    RunRow,
    Side,
)


def page_tables(report: ParityReport) -> list[PageTable]:
    """Return the tables that have rows, in the order in which the page shows them."""
    tables = [_outputs(report.runs)]
    tables += [
        _gradients(kind, title, [run for run in report.gradients if run.kind == kind])
        for kind, title in KINDS.items()
    ]
    tables += [_random(report.random), _runs(report.runs), _sides(report.sides)]
    return [table for table in tables if table.lines]


def _size(shape: Sequence[int]) -> Cell:
    """Return a shape, sorted by the number of values."""
    return Cell(" × ".join(str(size) for size in shape), str(math.prod(shape)))  # noqa: RUF001


_CASE = Column("Case")
_SHAPE = Column("Shape", title="Sorted by the number of values")
_DIFFERENCE = Column("Difference", True, "Largest absolute difference of the port from PyTorch")
_TORCH = Column("PyTorch error", True, "Largest absolute error of PyTorch against float64")
_PORT = Column("Port error", True, "Largest absolute error of the port against float64")
_LIMIT = Column("Limit", True, "What the error may be at the place that is nearest to it")


def _outputs(runs: Sequence[RunRow]) -> PageTable:
    columns = (
        _CASE,
        Column("Run", title="Mode, syntax and shapes; #1 and up are the further sets of shapes"),
        Column("Output"),
        _SHAPE,
        Column("Type"),
        _DIFFERENCE,
        Column("Relative", True, "Largest relative difference of the port from PyTorch"),
        _TORCH,
        _PORT,
        _LIMIT,
        Column(
            "Used", True, "The largest part of its limit that a value uses; above 1 is beyond it"
        ),
        Column("Rule", title="What the limit is made of"),
    )
    lines = []
    for run in runs:
        rows = [row for variant in run.variants for row in variant.outputs]
        if not rows or untold(run, rows):
            blank = texts(run.case, run.label, *[""] * (len(columns) - 2))
            lines.append(Line(blank, run.code, run.message or "gave no outputs"))
        for variant in run.variants:
            label = f"{run.label} #{variant.variant}" if variant.variant else run.label
            for row in variant.outputs:
                cells = (*texts(run.case, label, row.name), *_output_cells(row))
                lines.append(Line(cells, row.code, row.message))
    about = (
        "Every output of every run. Both errors are distances from the same model in float64: a "
        "port may be as far off as PyTorch itself."
    )
    return PageTable("outputs", "Outputs", about, columns, tuple(lines))


def _output_cells(row: OutputRow) -> Iterator[Cell]:
    yield _size(row.shape) if row.shape else Cell("")
    yield Cell(row.dtype)
    for value in (
        row.maximum_absolute,
        row.maximum_relative,
        row.torch_error,
        row.port_error,
    ):
        yield figure(value)
    limit = figure(row.tolerance)
    place = ", ".join(str(number) for number in row.index)
    yield Cell(limit.text, limit.number, f"{limit.title} at [{place}]" if place else limit.title)
    yield figure(row.used, ".2g")
    unusable = f", {row.unusable} by PyTorch itself" if row.unusable else ""
    yield Cell(row.rule + unusable)


def _gradients(kind: str, title: str, runs: Sequence[GradientRun]) -> PageTable:
    columns = (
        _CASE,
        Column("Of"),
        _SHAPE,
        Column("Largest", True, "Largest absolute value in PyTorch"),
        _DIFFERENCE,
        _TORCH,
        _PORT,
        _LIMIT,
        Column("Compared", True, "Number of values that could be compared"),
    )
    lines = []
    for run in runs:
        if untold(run, run.rows):
            blank = texts(run.case, *[""] * (len(columns) - 1))
            lines.append(Line(blank, run.code, run.message))
        for row in sorted(run.rows, key=lambda row: (not row.code, -used(row))):
            cells = (
                *texts(run.case, row.name),
                _size(row.shape),
                figure(row.largest),
                figure(row.maximum_absolute),
                figure(row.torch_error),
                figure(row.port_error),
                figure(row.tolerance),
                figure(row.judged, ",d"),
            )
            lines.append(Line(cells, row.code, row.message))
    what = "The parameters after one step of AdamW" if kind == "step" else "The gradients"
    about = f"{what}, those that use most of their limit first."
    return PageTable(kind, title, about, columns, tuple(lines))


def _random(runs: Sequence[RandomRun]) -> PageTable:
    columns = (
        _CASE,
        Column("Of"),
        Column("Measure"),
        Column("Passes", True, "Number of passes, each with another seed"),
        Column("PyTorch", True),
        Column("Port", True),
        Column("Limit", True, "What the two may differ by"),
    )
    lines = []
    for run in runs:
        if untold(run, run.rows):
            blank = texts(run.case, "", "", str(run.repeats), "", "", "")
            lines.append(Line(blank, run.code, run.message))
        for row in run.rows:
            figures = (figure(row.torch, ".4g"), figure(row.port, ".4g"), figure(row.tolerance))
            names = texts(run.case, row.name, row.measure)
            passes = figure(run.repeats, "d")
            lines.append(Line((*names, passes, *figures), row.code, row.message))
    about = "Values drawn at random in training mode are compared by their statistics."
    return PageTable("random", "Random values", about, columns, tuple(lines))


def _runs(runs: Sequence[RunRow]) -> PageTable:
    columns = (
        _CASE,
        Column("Run"),
        Column("First call, s", True, "Compiling included"),
        Column("Later call, s", True),
        Column("Compilations", True),
        Column("Sets of shapes", True),
    )
    lines = []
    for run in runs:
        cells = (
            *texts(run.case, run.label),
            figure(run.first_seconds, ".2f"),
            figure(run.call_seconds, ".4f"),
            figure(run.compilations, "d"),
            figure(len(run.variants), "d"),
        )
        lines.append(Line(cells, run.code, run.message))
    about = "How long each run took and how often it compiled."
    return PageTable("runs", "Runs", about, columns, tuple(lines))


def module_table(key: str, run: ModuleRun) -> PageTable:
    """Return every call of every module of a case."""
    columns = (
        Column("Order", True, "Order in which the calls end"),
        Column("Module"),
        Column("Class"),
        Column("Call", True),
        _TORCH,
        _PORT,
        Column("Scale", True, "Largest absolute value in float64"),
        _LIMIT,
        Column("Inputs"),
    )
    lines = tuple(
        Line((figure(number, "d"), *_module_cells(row)), row.code, row.message)
        for number, row in enumerate(run.rows, 1)
    )
    return PageTable(key, f"All {len(lines)} calls", "", columns, lines)


def _module_cells(row: ModuleRow) -> Iterator[Cell]:
    yield from texts(row.path or "(the model)", row.class_name)
    yield figure(row.call, "d")
    for value in (row.torch_error, row.port_error, row.scale, row.limit):
        yield figure(value)
    yield Cell("agree" if row.inputs_agree else "differ")


def _sides(sides: Sequence[Side]) -> PageTable:
    columns = (Column("Side"), Column("Time, s", True), Column("Peak memory, MiB", True))
    lines = tuple(
        Line(
            (Cell(side.name), figure(side.seconds, ".1f"), figure(side.peak_bytes / 2**20, ",.0f"))
        )
        for side in sides
    )
    about = "What the processes of each framework took."
    return PageTable("sides", "Time and memory", about, columns, lines, verdict=False)
