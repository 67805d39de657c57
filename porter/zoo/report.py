"""Show what became of the models of a zoo: in the terminal, and as a page."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.pages.render import render
from porter.pages.tables import Cell, Column, Line, PageTable, figure, texts
from porter.zoo.results import STAGES, ModelResult, ZooReport

_MARKS = {True: ("yes", "green"), False: ("no", "bold red"), None: ("", "dim")}
_VERDICTS = {
    "parity": "give PyTorch's outputs",
    "said": "do not, and porting said so",
    "loud": "do not, and raise",
    "silent": "do not, and nothing said so",
    "reference": "do not run in PyTorch here",
}


def print_zoo(report: ZooReport, console: Console) -> None:
    """Print the table of models, the causes by how many models they stop, and the verdict."""
    table = Table(title=f"Zoo, {report.seconds:.0f} s", title_justify="left")
    table.add_column("model", overflow="fold")
    for name in STAGES:
        table.add_column(name)
    for name in ("s", "GiB"):
        table.add_column(name, justify="right")
    for model in report.models:
        marks = [Text(*_MARKS[model.stages[name]]) for name in STAGES]
        peak = f"{model.peak_bytes / 2**30:.1f}"
        table.add_row(model.identifier, *marks, f"{model.seconds:.0f}", peak)
    console.print(table)
    for kind, models in report.causes().items():
        names = ", ".join(model.identifier for model in models)
        console.print(f"{len(models)} x {kind}: {names}", markup=False, highlight=False)
    console.print(verdict_line(report), markup=False, highlight=False)


def verdict_line(report: ZooReport) -> str:
    """Return the verdict in one line."""
    counts = {name: report.count(name) for name in _VERDICTS}
    parts = [f"{counts[name]} {text}" for name, text in _VERDICTS.items() if counts[name]]
    return f"{len(report.models)} models: {', '.join(parts)}"


def zoo_page(report: ZooReport) -> str:
    """Return the page. Raises PorterError (PRT703) where jinja2 is not installed."""
    return render(
        "zoo.html.j2",
        report=report,
        verdict=verdict_line(report),
        stages=[(name, STAGES[name], count) for name, count in report.stage_counts().items()],
        tables=[table for table in (_models(report), _causes(report)) if table.lines],
    )


def _models(report: ZooReport) -> PageTable:
    columns = (
        Column("Model"),
        Column("Package"),
        *(Column(name.capitalize(), title=title) for name, title in STAGES.items()),
        Column("Difference", True, "Largest absolute difference of an output from PyTorch"),
        Column("Time, s", True),
        Column("Peak memory, GiB", True, "Resident memory of all processes together"),
    )
    lines = tuple(_line(model) for model in report.models)
    return PageTable("models", "Models", "What each model went through.", columns, lines)


def _line(model: ModelResult) -> Line:
    cells = (
        *texts(model.identifier, model.package),
        *(Cell(_MARKS[model.stages[name]][0]) for name in STAGES),
        figure(model.difference),
        figure(model.seconds, ".0f"),
        figure(model.peak_bytes / 2**30, ".1f"),
    )
    cause = model.cause
    return Line(cells, cause.code, cause.message) if cause else Line(cells)


def _causes(report: ZooReport) -> PageTable:
    columns = (Column("Models", True), Column("First cause"), Column("Of"))
    lines = tuple(
        Line((figure(len(models), "d"), *texts(kind, ", ".join(m.identifier for m in models))))
        for kind, models in report.causes().items()
    )
    about = "Why models went no further, without what differs from one to the next."
    return PageTable("causes", "Causes", about, columns, lines, verdict=False)
