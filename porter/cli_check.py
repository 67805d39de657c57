"""Add the commands for code that is MindSpore already: check, explain and compile."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from porter.cli_common import Format, FormatOption, app, progress

SelectOption = Annotated[
    str | None, typer.Option(metavar="CODES", help="Report only these codes: PRT3,PRT305.")
]
IgnoreOption = Annotated[str | None, typer.Option(metavar="CODES", help="Leave these codes out.")]


class CheckFormat(enum.StrEnum):
    """Choose how findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


@app.command(
    epilog="""Examples:
  porter check model.py
  porter check src --fix
  porter check src --format sarif > porter.sarif"""
)
def check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders.")],
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --fix would change; write nothing.")
    ] = False,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    output_format: Annotated[
        CheckFormat, typer.Option("--format", help="How findings are printed.")
    ] = CheckFormat.TEXT,
) -> int:
    """Say what breaks in GRAPH_MODE in MindSpore code. The code is read, never run."""
    from porter.check.command import Request, check_command

    if fix and diff:
        raise typer.BadParameter("--fix and --diff exclude each other")
    return check_command(Request(tuple(paths), fix, diff, select, ignore, output_format.value))


@app.command(
    epilog="""Examples:
  porter explain train.log
  python train.py 2>&1 | porter explain -
  porter explain rank_0/om/analyze_fail.ir"""
)
def explain(
    log: Annotated[str, typer.Argument(metavar="[LOG]", help="Log file; - reads stdin.")] = "-",
    output_format: FormatOption = Format.TEXT,
) -> int:
    """Say what a message of MindSpore means, and which line of yours it is about."""
    from porter.check.explain import explain_command

    return explain_command(log, output_format.value)


@app.command(
    name="compile",
    epilog="""Examples:
  porter compile net.py:Net --inputs "float32[batch:2, 16]"
  porter compile models.net:Net --args "8, heads=2" --inputs "float32[2, 8], mask=bool[2]" """,
)
def compile_cell(
    target: Annotated[
        str, typer.Argument(metavar="MODULE:CLASS", help="Dotted module or file, and the Cell.")
    ],
    inputs: Annotated[
        str, typer.Option(metavar="SPEC", help='Inputs: "float32[batch:2, 16], mask=bool[2]".')
    ],
    arguments: Annotated[
        str, typer.Option("--args", metavar="SPEC", help='Arguments of the class: "8, heads=2".')
    ] = "",
    way: Annotated[
        list[str] | None,
        typer.Option(metavar="WAY", help="Only this way: STRICT/dynamic; repeatable."),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", help="Give up one way after so long.")
    ] = 600.0,
    output_format: FormatOption = Format.TEXT,
) -> int:
    """Compile a Cell at both syntax levels, with static and dynamic shapes. This runs its code."""
    from porter.check.compiling import WAYS, CompileRequest, compile_command

    unknown = [item for item in way or () if item not in WAYS]
    if unknown:
        raise typer.BadParameter(f"no way {unknown[0]!r}; there are {', '.join(WAYS)}")
    request = CompileRequest(
        target, inputs, arguments, tuple(way or WAYS), time_limit, output_format.value
    )
    with progress(f"Compiling {target}") as update:
        return compile_command(request, update)
