"""Read the command line, call the stage that does the work, and return an exit code."""

from __future__ import annotations

import enum
import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from porter import __version__
from porter.types import PorterError

app = typer.Typer(
    name="porter",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 clean, 1 findings remain or parity failed, 2 usage or internal error.",
)


class Format(enum.StrEnum):
    """Choose how results are printed."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How results are printed.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an earlier port.")]
MappingsOption = Annotated[
    Path | None,
    typer.Option("--mappings", metavar="DIR", help="Lay these mapping tables over porter's."),
]


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
    with _progress(f"Porting {source}"):
        result = port_source(source, mappings_directory=mappings)
    findings = selection.apply(result.findings)
    if output is not None:
        write.write_port(result, output, force)
    if output_format is Format.JSON:
        _print_json(report.json_report(result, findings, output))
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


@contextmanager
def _progress(message: str) -> Iterator[None]:
    """Show `message` on stderr while a stage works; nothing when stderr is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(message):
        yield


def _print_json(data: dict[str, Any]) -> None:
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


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
