"""Hold what a verification found, and show it as tables or as JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.parity.compare import GradientRow, OutputRow
from porter.types import Finding, Severity

_SHOWN_GRADIENTS = 5


@dataclass(frozen=True, slots=True)
class VariantRows:
    """The outputs of a run for one set of input shapes; number 0 is the recipe's own."""

    variant: int
    outputs: tuple[OutputRow, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One case in one mode: graph, pynative, or export, which is MindIR written, loaded and run.

    `first_seconds` includes compiling; `call_seconds` is one later call. `code` is that of a run
    that gave no outputs, or of the first output that does not hold.
    """

    case: str
    mode: str
    syntax: str
    shapes: str
    variants: tuple[VariantRows, ...] = ()
    first_seconds: float | None = None
    call_seconds: float | None = None
    compilations: int | None = None
    code: str = ""
    message: str = ""
    detail: str = ""

    @property
    def label(self) -> str:
        """The mode in one string, such as "graph STRICT dynamic"."""
        return " ".join(part for part in (self.mode, self.syntax, self.shapes) if part)


@dataclass(frozen=True, slots=True)
class GradientRun:
    """The gradients of one case by all parameters and floating inputs, in GRAPH_MODE."""

    case: str
    rows: tuple[GradientRow, ...] = ()
    first_seconds: float | None = None
    code: str = ""
    message: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ParityReport:
    """All that a verification found. `notes` are remarks that change no verdict."""

    recipe: str
    source: str
    port: str
    weights: str | None
    versions: dict[str, str]
    parameters: int
    runs: tuple[RunRow, ...]
    gradients: tuple[GradientRun, ...]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def compared(self) -> int:
        """The number of outputs that were compared, over all runs and shapes."""
        return sum(len(variant.outputs) for run in self.runs for variant in run.variants)

    @property
    def passed(self) -> bool:
        """Tell whether something was compared and all of it holds."""
        errors = any(finding.severity is Severity.ERROR for finding in self.findings)
        return self.compared > 0 and not errors

    @property
    def largest_difference(self) -> float | None:
        """The largest absolute difference from PyTorch of any output, None where none has one."""
        values = [
            row.maximum_absolute
            for run in self.runs
            for variant in run.variants
            for row in variant.outputs
            if row.maximum_absolute is not None
        ]
        return max(values, default=None)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data; numbers that JSON does not have become strings."""
        data = asdict(self)
        data["findings"] = [finding.to_json() for finding in self.findings]
        data.update(passed=self.passed, compared=self.compared)
        data["largest_difference"] = self.largest_difference
        plain: dict[str, Any] = _plain(data)
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


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
