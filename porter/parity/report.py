"""Show what a verification found as tables."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.parity.results import GradientRow, ParityReport
from porter.types import Severity

_SHOWN_GRADIENTS = 5


def print_report(report: ParityReport, console: Console) -> None:
    """Print the tables, the notes, the findings and the verdict."""
    if report.runs:
        console.print(_output_table(report))
        console.print(_run_table(report))
    if report.gradients:
        console.print(_gradient_table(report))
    for note in report.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    for finding in report.findings:
        console.print(str(finding), markup=False, highlight=False)
    console.print(verdict_line(report), markup=False, highlight=False)


def verdict_line(report: ParityReport) -> str:
    """Return the verdict in one line."""
    gradients = sum(len(run.rows) for run in report.gradients)
    what = f"{report.compared} outputs and {gradients} gradients compared"
    if report.largest_difference is not None:
        what += f", largest difference of an output {report.largest_difference:.2g}"
    errors = sum(finding.severity is Severity.ERROR for finding in report.findings)
    return f"parity holds: {what}" if report.passed else f"parity fails: {what}; {errors} findings"


def _verdict(code: str) -> Text:
    return Text(code, style="bold red") if code else Text("ok", style="green")


def _figure(value: float | None, pattern: str = ".2g") -> str:
    return "" if value is None else format(value, pattern)


def _output_table(report: ParityReport) -> Table:
    table = Table(title="Outputs", title_justify="left")
    for name in ("case", "mode", "output", "shape", "dtype"):
        table.add_column(name, overflow="fold")
    for name in ("difference", "torch to float64", "port to float64", "tolerance"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for run in report.runs:
        for variant in run.variants:
            for row in variant.outputs:
                table.add_row(
                    run.case,
                    run.label,
                    row.name,
                    " ".join(str(size) for size in row.shape),
                    row.dtype,
                    _figure(row.maximum_absolute),
                    _figure(row.torch_error),
                    _figure(row.port_error),
                    _figure(row.tolerance),
                    _verdict(row.code),
                )
    return table


def _run_table(report: ParityReport) -> Table:
    table = Table(title="Runs", title_justify="left")
    for name in ("case", "mode"):
        table.add_column(name, overflow="fold")
    for name in ("first call s", "later call s", "compilations", "shapes"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for run in report.runs:
        table.add_row(
            run.case,
            run.label,
            _figure(run.first_seconds, ".2f"),
            _figure(run.call_seconds, ".4f"),
            "" if run.compilations is None else str(run.compilations),
            str(len(run.variants)),
            _verdict(run.code),
        )
    return table


def _gradient_table(report: ParityReport) -> Table:
    """Return the gradients that do not hold, and of those that do the ones nearest to failing."""
    table = Table(title="Gradients", title_justify="left")
    for name in ("case", "by"):
        table.add_column(name, overflow="fold")
    for name in ("largest", "difference", "tolerance"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for run in report.gradients:
        if run.code and not run.rows:
            table.add_row(run.case, "", "", "", "", _verdict(run.code))
        bad = [row for row in run.rows if row.code]
        good = sorted((row for row in run.rows if not row.code), key=_used, reverse=True)
        for row in [*bad, *good[:_SHOWN_GRADIENTS]]:
            figures = (_figure(row.largest), _figure(row.maximum_absolute), _figure(row.tolerance))
            table.add_row(run.case, row.name, *figures, _verdict(row.code))
        if len(good) > _SHOWN_GRADIENTS:
            rest = f"{len(good) - _SHOWN_GRADIENTS} more hold"
            table.add_row(run.case, rest, "", "", "", _verdict(""))
    return table


def _used(row: GradientRow) -> float:
    """Return which part of its tolerance a gradient uses; there is none where all are zero."""
    return (row.maximum_absolute or 0.0) / row.tolerance if row.tolerance else 0.0
