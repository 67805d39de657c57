"""Add the commands that run models: verify and run."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli_common import (
    ForceOption,
    Format,
    FormatOption,
    MappingsOption,
    PortOption,
    app,
    console,
    json_text,
    progress,
)
from porter.types import PorterError, Record

if TYPE_CHECKING:
    from porter.parity.results import ParityReport


class Mode(enum.StrEnum):
    """Choose a mode of MindSpore."""

    GRAPH = "graph"
    PYNATIVE = "pynative"


CaseOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Run this case only; repeatable.")
]
ModeOption = Annotated[list[Mode] | None, typer.Option(help="Run in this mode only; repeatable.")]
LocateOption = Annotated[
    bool, typer.Option("--locate", help="Name the first module that differs, where one does.")
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write the JSON report to this file, too."),
]
HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a page; compares every module, too."),
]
JunitOption = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, too.")
]
LossesOption = Annotated[
    Path | None,
    typer.Option("--losses", metavar="FILE", help="Draw the losses of [training] as SVG, too."),
]
WorkOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Keep inputs, outputs and logs here.")
]
RecipeArgument = Annotated[str, typer.Argument(metavar="RECIPE", help="TOML file of the recipe.")]


@app.command(
    epilog="""Examples:
  porter verify recipe.toml
  porter verify recipe.toml --port out --locate --html report.html
  porter verify recipe.toml --port out --mode graph --report report.json"""
)
def verify(
    recipe: RecipeArgument,
    port: PortOption = None,
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Converted weights; else convert them.")
    ] = None,
    case: CaseOption = None,
    mode: ModeOption = None,
    work: WorkOption = None,
    locate: LocateOption = False,
    report: JsonOption = None,
    html: HtmlOption = None,
    junit: JunitOption = None,
    losses: LossesOption = None,
    output_format: FormatOption = Format.TEXT,
    mappings: MappingsOption = None,
) -> int:
    """Compare a port with PyTorch. This runs the model's own code."""
    from porter.parity.report import print_report
    from porter.parity.verify import verify as run_verification
    from porter.recipe import load_recipe

    loaded = load_recipe(recipe)
    with progress(f"Verifying {recipe}") as update:
        parity = run_verification(
            loaded,
            port,
            weights=weights,
            work=work,
            cases=case or (),
            modes=mode or (),
            mappings_directory=mappings,
            record=_record(locate, html),
            progress=update,
        )
    _write_reports(parity, report, html, junit, losses)
    if output_format is Format.JSON:
        typer.echo(json_text(parity.to_json()), nl=False)
    else:
        print_report(parity, console())
    return 0 if parity.passed else 1


@app.command(
    epilog="""Examples:
  porter run recipe.toml -o out
  porter run recipe.toml -o out --force --format json"""
)
def run(
    recipe: RecipeArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Package folder to write.")
    ],
    case: CaseOption = None,
    mode: ModeOption = None,
    work: WorkOption = None,
    locate: LocateOption = False,
    report: JsonOption = None,
    html: HtmlOption = None,
    junit: JunitOption = None,
    losses: LossesOption = None,
    force: ForceOption = False,
    output_format: FormatOption = Format.TEXT,
    mappings: MappingsOption = None,
) -> int:
    """Port, convert and verify one recipe. This runs the model's own code."""
    from porter.recipe import load_recipe
    from porter.run import print_run, run_recipe

    loaded = load_recipe(recipe)
    with progress(f"Running {recipe}") as update:
        made = run_recipe(
            loaded,
            output,
            force=force,
            work=work,
            cases=case or (),
            modes=mode or (),
            mappings_directory=mappings,
            record=_record(locate, html),
            progress=update,
        )
    _write_reports(made.parity, report, html, junit, losses)
    if output_format is Format.JSON:
        typer.echo(json_text(made.to_json()), nl=False)
    else:
        print_run(made, console())
    return made.exit_code


def _record(locate: bool, html: Path | None) -> Record:
    """Return for which cases modules are compared: a page shows them in any case."""
    if html is not None:
        return "always"
    return "failed" if locate else "never"


def _write_reports(
    parity: ParityReport,
    report: Path | None,
    html: Path | None,
    junit: Path | None,
    losses: Path | None,
) -> None:
    """Write the reports that were asked for."""
    from porter.emit.write import write_text

    if report is not None:
        write_text(report, json_text(parity.to_json()))
    if html is not None:
        from porter.parity.html import html_page

        write_text(html, html_page(parity))
    if junit is not None:
        from porter.parity.junit import junit_xml

        write_text(junit, junit_xml(parity))
    if losses is not None:
        from porter.parity.loss_plot import loss_svg

        if not parity.losses:
            raise PorterError("PRT703", "--losses: nothing was trained, so there are no losses")
        write_text(losses, loss_svg(parity.losses[0]))
