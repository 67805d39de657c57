"""Read the command line, call the stage that does the work, and return an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

import porter.cli_check
import porter.cli_mappings
import porter.cli_parity
import porter.cli_weights
import porter.cli_zoo  # noqa: F401 - registers its command, as the others do
from porter import __version__
from porter.cli_common import (
    ForceOption,
    Format,
    FormatOption,
    MappingsOption,
    app,
    json_text,
    progress,
)
from porter.types import PorterError


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"porter {__version__}")
        raise typer.Exit


@app.callback()
def _porter(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Carry PyTorch models to MindSpore Cells that run in GRAPH_MODE, and prove it."""


@app.command(
    epilog="""Examples:
  porter port model.py:QFormer -o out
  porter port transformers.models.blip_2.modeling_blip_2:Blip2QFormerModel -o out
  porter port model.py --diff"""
)
def port(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="File, folder or dotted module; :CLASS picks a class."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Package folder to write."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Report findings and write nothing.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print source against port and write nothing.")
    ] = False,
    output_format: FormatOption = Format.TEXT,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail on findings left to review, too.")
    ] = False,
    force: ForceOption = False,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Configuration, where the source chooses classes by model_type."
        ),
    ] = None,
    mappings: MappingsOption = None,
    select: Annotated[
        str | None,
        typer.Option(metavar="CODES", help="Report only these codes: PRT1,PRT203."),
    ] = None,
    ignore: Annotated[
        str | None, typer.Option(metavar="CODES", help="Leave these codes out.")
    ] = None,
) -> int:
    """Port PyTorch source to MindSpore. The source is read, never run."""
    from porter.documents import read_table
    from porter.emit import report, write
    from porter.port import port_source

    selection = report.read_selection(select, ignore)
    if check and diff:
        raise typer.BadParameter("--check and --diff exclude each other")
    if diff and output_format is Format.JSON:
        raise typer.BadParameter("--diff prints a diff, not JSON")
    if output is None and not check and not diff:
        raise typer.BadParameter("give the folder to write with -o DIR, or --check or --diff")
    if check or diff:
        output = None
    if output is not None:
        write.check_output(output, force)
    configuration = read_table(config) if config is not None else None
    with progress(f"Porting {source}"):
        result = port_source(source, configuration=configuration, mappings_directory=mappings)
    findings = selection.apply(result.findings)
    if output is not None:
        write.write_port(result, output, force)
    if output_format is Format.JSON:
        typer.echo(json_text(report.json_report(result, findings, output)), nl=False)
    else:
        typer.echo(report.source_diff(result) if diff else "", nl=False)
        typer.echo(report.text_report(findings), nl=False, err=diff)
    hidden = len(result.findings) - len(findings)
    typer.echo(report.summary_line(result.counts, hidden), err=True)
    return report.exit_code(findings, strict)


@app.command(
    epilog="""Examples:
  porter rule
  porter rule PRT203
  porter rule in-place-rewritten"""
)
def rule(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="Code or name of a diagnostic.")
    ] = None,
    output_format: FormatOption = Format.TEXT,
) -> int:
    """List the diagnostics, or explain one."""
    from porter.diagnostics import show

    if code is None:
        typer.echo(show.list_json() if output_format is Format.JSON else show.list_text(), nl=False)
    elif output_format is Format.JSON:
        typer.echo(show.page_json(code), nl=False)
    else:
        show.print_page(code)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; every failure is one line on stderr.

    `arguments` defaults to those of the process. PORTER_TRACEBACK=1 adds the traceback of an error.
    """
    command = typer.main.get_command(app)
    try:
        code = command.main(args=arguments, prog_name="porter", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _fail(_usage_line(error), error.exit_code)
    except typer.Abort:
        return _fail("porter: stopped", 130)
    except BrokenPipeError:
        return _discard_output()
    except PorterError as error:
        return _fail(str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - the last place that can still turn a defect into one line.
        summary = " ".join(f"{type(error).__name__}: {error}".split())
        hint = "a defect of porter; PORTER_TRACEBACK=1 shows where"
        return _fail(str(PorterError("PRT904", summary, hint=hint)), 2)
    return code if isinstance(code, int) else 0


def _usage_line(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "porter"
    message = " ".join(error.format_message().split()).rstrip(".")
    return f"{command}: {message} (see {command} --help)"


def _fail(line: str, exit_code: int) -> int:
    if os.environ.get("PORTER_TRACEBACK"):
        traceback.print_exc()
    print(line, file=sys.stderr)
    return exit_code


def _discard_output() -> int:
    """Leave quietly when the reader of stdout has gone; the last flush must not fail either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
