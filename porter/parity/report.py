"""Show what a verification found as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.parity.results import (
    GradientRow,
    GradientRun,
    Location,
    LossRun,
    ModuleRow,
    ModuleRun,
    OutputRow,
    ParityReport,
    RandomRow,
    RandomRun,
    RunRow,
    Side,
)
from porter.types import Severity

_SHOWN_GRADIENTS = 5
KINDS = {"gradients": "Gradients", "step": "Training step"}
"""The kinds of GradientRun, with the title of each."""


def print_report(report: ParityReport, console: Console) -> None:
    """Print the tables, the located faults, the notes, the findings and the verdict."""
    for table in _tables(report):
        console.print(table)
    for run in report.modules:
        if run.location is not None:
            for line in location_lines(run.location):
                console.print(line, markup=False, highlight=False)
    for note in report.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    for finding in report.findings:
        console.print(str(finding), markup=False, highlight=False)
    console.print(verdict_line(report), markup=False, highlight=False)


def verdict_line(report: ParityReport) -> str:
    """Return the verdict in one line."""
    steps = sum(len(run.rows) for run in report.gradients if run.kind == "step")
    counts = {
        "gradients": sum(len(run.rows) for run in report.gradients) - steps,
        "parameters after a step": steps,
        "statistics": sum(len(run.rows) for run in report.random),
        "losses": sum(len(run.port) for run in report.losses),
    }
    parts = [f"{report.compared} outputs"]
    parts += [f"{count} {name}" for name, count in counts.items() if count]
    what = f"{_joined(parts)} compared"
    if report.largest_difference is not None:
        what += f", largest difference of an output {report.largest_difference:.2g}"
    if report.passed:
        return f"parity holds: {what}"
    errors = sum(finding.severity is Severity.ERROR for finding in report.findings)
    return f"parity fails: {what}; {errors} findings"


def location_text(location: Location) -> str:
    """Return in one sentence which module is the first that is off, and where in it to look."""
    name = location.path or "the model itself"
    text = (
        f"{name} ({location.class_name}, call {location.call}) is the first module whose inputs "
        "agree and whose output does not"
    )
    if location.after and location.before:
        where = f"between {location.after} and {location.before}"
    elif location.after:
        where = f"after {location.after}"
    else:
        where = f"before {location.before}" if location.before else ""
    return f"{text}; the fault lies in its own code, {where}" if where else text


def location_lines(location: Location) -> list[str]:
    """Return the location with its message and its lines of code, as lines of plain text."""
    lines = [f"located: {location.case}, {location.mode}: {location_text(location)}"]
    if location.message:
        lines.append(f"  {location.message}")
    for side, place in (("port", location.port), ("source", location.source)):
        if place is not None:
            lines.append(f"  {side:<6} {place.path}:{place.line}: {place.text.strip()}")
    return lines


def used(row: GradientRow) -> float:
    """Return which part of its tolerance a gradient uses; there is none where all are zero."""
    return (row.maximum_absolute or 0.0) / row.tolerance if row.tolerance else 0.0


def untold(
    run: RunRow | GradientRun | RandomRun | ModuleRun,
    rows: Sequence[OutputRow | GradientRow | RandomRow | ModuleRow],
) -> bool:
    """Tell whether the run failed and none of its rows says so."""
    return bool(run.code) and not any(row.code for row in rows)


def _joined(parts: Sequence[str]) -> str:
    """Return the parts as an enumeration."""
    return " and ".join([*([", ".join(parts[:-1])] if parts[1:] else []), parts[-1]])


def _tables(report: ParityReport) -> Iterator[Table]:
    if report.runs:
        yield _output_table(report.runs)
        yield _run_table(report.runs)
    for kind, title in KINDS.items():
        if runs := [run for run in report.gradients if run.kind == kind]:
            yield _gradient_table(title, runs)
    if report.random:
        yield _random_table(report.random)
    if report.losses:
        yield _loss_table(report.losses)
    if report.modules:
        yield _module_table(report.modules)
    if report.sides:
        yield _side_table(report.sides)


def _table(
    title: str, names: Sequence[str], figures: Sequence[str], *, verdict: bool = True
) -> Table:
    """Return an empty table: columns of text, of figures, and the verdict."""
    table = Table(title=title, title_justify="left")
    for name in names:
        table.add_column(name, overflow="fold")
    for name in figures:
        table.add_column(name, justify="right")
    if verdict:
        table.add_column("verdict")
    return table


def _verdict(code: str) -> Text:
    return Text(code, style="bold red") if code else Text("ok", style="green")


def _figure(value: float | None, pattern: str = ".2g") -> str:
    return "" if value is None else format(value, pattern)


def _cells(*values: str) -> list[Text]:
    """Return texts in which brackets are no markup."""
    return [Text(value) for value in values]


def _output_table(runs: Sequence[RunRow]) -> Table:
    table = _table(
        "Outputs",
        ("case", "mode", "output", "shape", "dtype"),
        ("difference", "torch to float64", "port to float64", "tolerance", "used"),
    )
    table.add_column("rule")
    for run in runs:
        for variant in run.variants:
            for row in variant.outputs:
                table.add_row(
                    *_cells(run.case, run.label, row.name),
                    " ".join(str(size) for size in row.shape),
                    row.dtype,
                    _figure(row.maximum_absolute),
                    _figure(row.torch_error),
                    _figure(row.port_error),
                    _figure(row.tolerance),
                    _figure(row.used),
                    _verdict(row.code),
                    row.rule,
                )
    return table


def _run_table(runs: Sequence[RunRow]) -> Table:
    figures = ("first call s", "later call s", "compilations", "shapes")
    table = _table("Runs", ("case", "mode"), figures)
    for run in runs:
        table.add_row(
            *_cells(run.case, run.label),
            _figure(run.first_seconds, ".2f"),
            _figure(run.call_seconds, ".4f"),
            "" if run.compilations is None else str(run.compilations),
            str(len(run.variants)),
            _verdict(run.code),
        )
    return table


def _gradient_table(title: str, runs: Sequence[GradientRun]) -> Table:
    """Return the rows that do not hold, and of those that do the ones nearest to failing."""
    table = _table(title, ("case", "of"), ("largest", "difference", "tolerance"))
    for run in runs:
        if untold(run, run.rows):
            table.add_row(*_cells(run.case, "", "", "", ""), _verdict(run.code))
        bad = [row for row in run.rows if row.code]
        good = sorted((row for row in run.rows if not row.code), key=used, reverse=True)
        for row in [*bad, *good[:_SHOWN_GRADIENTS]]:
            figures = (_figure(row.largest), _figure(row.maximum_absolute), _figure(row.tolerance))
            table.add_row(*_cells(run.case, row.name), *figures, _verdict(row.code))
        if len(good) > _SHOWN_GRADIENTS:
            rest = f"{len(good) - _SHOWN_GRADIENTS} more hold"
            table.add_row(*_cells(run.case, rest), "", "", "", _verdict(""))
    return table


def _random_table(runs: Sequence[RandomRun]) -> Table:
    names = ("case", "of", "measure")
    table = _table("Random values", names, ("passes", "torch", "port", "tolerance"))
    for run in runs:
        if untold(run, run.rows):
            table.add_row(
                *_cells(run.case, "", "", str(run.repeats), "", "", ""), _verdict(run.code)
            )
        for row in run.rows:
            table.add_row(
                *_cells(run.case, row.name, row.measure),
                str(run.repeats),
                _figure(row.torch, ".4g"),
                _figure(row.port, ".4g"),
                _figure(row.tolerance),
                _verdict(row.code),
            )
    return table


def _loss_table(runs: Sequence[LossRun]) -> Table:
    figures = (
        "steps",
        "first loss",
        "last loss",
        "largest relative difference",
        "at step",
        "limit",
    )
    table = _table("Training", ("function",), figures)
    for run in runs:
        table.add_row(
            Text(run.function),
            str(len(run.torch)),
            _figure(run.torch[0], ".4g"),
            _figure(run.torch[-1], ".4g"),
            _figure(run.largest),
            "" if run.step is None else str(run.step),
            _figure(run.tolerance),
            _verdict(run.code),
        )
    return table


def _module_table(runs: Sequence[ModuleRun]) -> Table:
    """Return one line for each recording: the single calls are for the HTML and JSON reports."""
    table = _table("Modules", ("case", "mode"), ("calls", "compared", "off"))
    for run in runs:
        compared = sum(row.port_error is not None for row in run.rows)
        off = sum(bool(row.code) for row in run.rows)
        figures = (str(len(run.rows)), str(compared), str(off))
        code = run.code or next((row.code for row in run.rows if row.code), "")
        table.add_row(*_cells(run.case, run.mode), *figures, _verdict(code))
    return table


def _side_table(sides: Sequence[Side]) -> Table:
    table = _table("Sides", ("side",), ("seconds", "peak MiB"), verdict=False)
    for side in sides:
        table.add_row(Text(side.name), f"{side.seconds:.1f}", f"{side.peak_bytes / 2**20:,.0f}")
    return table
