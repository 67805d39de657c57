"""Write what a verification found as one HTML page that needs nothing beside it."""

from __future__ import annotations

import json
from typing import Any

from porter.extras import missing_package
from porter.pages.render import render
from porter.pages.tables import PageTable
from porter.parity.loss_plot import loss_svg
from porter.parity.page_plots import histogram_plot, module_plot
from porter.parity.page_tables import module_table, page_tables
from porter.parity.report import location_text, verdict_line
from porter.parity.results import Histogram, ModuleRun, ParityReport


def html_page(report: ParityReport) -> str:
    """Return the page. Raises PorterError (PRT703) where jinja2 or plotly is not installed."""
    modules = [_module_section(number, run) for number, run in enumerate(report.modules, 1)]
    histograms = [_histogram_section(histogram) for histogram in report.histograms]
    plotted = any(section["plot"] for section in [*modules, *histograms])
    plotly = ""
    if plotted:
        try:
            from plotly.offline import get_plotlyjs
        except ImportError as error:
            raise missing_package("the HTML report", error) from error
        plotly = get_plotlyjs()
    return render(
        "parity.html.j2",
        report=report,
        verdict=verdict_line(report).partition(": ")[2],
        facts=_facts(report),
        locations=[
            (run.location, location_text(run.location)) for run in report.modules if run.location
        ],
        tables=page_tables(report),
        losses=[(run, loss_svg(run, inside=True)) for run in report.losses],
        modules=modules,
        histograms=histograms,
        document=report.document and json.dumps(report.document, indent=2, ensure_ascii=False),
        plotly=plotly,
    )


def _facts(report: ParityReport) -> list[tuple[str, str]]:
    """Return what was compared, as names and values; the values are code."""
    facts = [("Source", report.source), ("Port", report.port), ("Recipe", report.recipe)]
    if report.weights is not None:
        facts.append(("Weights", report.weights))
    facts.append(("Parameters", f"{report.parameters:,}"))
    if report.seconds:
        facts.append(("Took", f"{report.seconds:.1f} s"))
    return facts


def _module_section(number: int, run: ModuleRun) -> dict[str, Any]:
    table: PageTable = module_table(f"calls-{number}", run)
    return {
        "run": run,
        "plot": module_plot(run),
        "table": table if table.lines else None,
        "skipped": sum(row.port_error is None for row in run.rows),
    }


def _histogram_section(histogram: Histogram) -> dict[str, Any]:
    return {"histogram": histogram, "plot": histogram_plot(histogram)}
