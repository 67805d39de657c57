"""Add the commands for mapping tables: list, check and verify entries, one's own included."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli_common import (
    Format,
    FormatOption,
    MappingsOption,
    app,
    console,
    json_text,
    progress,
)

if TYPE_CHECKING:
    from porter.mapping.command import Tables
    from porter.mapping.verify import SampleResult

NamesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME...]",
        help="Torch names, patterns (torch.nn.*) or tables; else all, or those of --mappings.",
    ),
]

mappings_app = typer.Typer(
    help="List, check and prove the tables that say what each torch name becomes.",
    no_args_is_help=True,
)
app.add_typer(mappings_app, name="mappings")


class SampleMode(enum.StrEnum):
    """Choose how samples are run."""

    GRAPH = "graph"
    PYNATIVE = "pynative"
    DYNAMIC = "graph-dynamic"
    GRADIENT = "gradient"


@mappings_app.command(
    name="list",
    epilog="""Examples:
  porter mappings list torch.cat
  porter mappings list "torch.nn.*" --format json
  porter mappings list --mappings tables""",
)
def list_mappings(
    names: NamesArgument = None,
    mappings: MappingsOption = None,
    output_format: FormatOption = Format.TEXT,
) -> int:
    """Print what each torch name becomes, and what proves it."""
    from porter.mapping.command import choose, rows

    found = rows(choose(names or (), mappings))
    if output_format is Format.JSON:
        typer.echo(json_text({"entries": found}), nl=False)
        return 0
    from rich.table import Table
    from rich.text import Text

    table = Table("name", "kind", "decision", "becomes", "proof", "table")
    for row in found:
        place = f"{Path(row['path']).name}:{row['line']}"
        cells = (row["name"], row["kind"], row["decision"], row["becomes"], row["proof"], place)
        table.add_row(*map(Text, cells))
    console().print(table)
    typer.echo(f"{len(found)} entries", err=True)
    return 0


@mappings_app.command(
    epilog="""Examples:
  porter mappings check --mappings tables
  porter mappings check torch.cat"""
)
def check(
    names: NamesArgument = None,
    mappings: MappingsOption = None,
    output_format: FormatOption = Format.TEXT,
) -> int:
    """Check entries without PyTorch and MindSpore: fields, signatures, and that samples port."""
    from porter.emit import report
    from porter.mapping.command import check_entries, choose

    with progress("Checking mappings"):
        tables = choose(names or (), mappings)
        findings = check_entries(tables)
    if output_format is Format.JSON:
        data = {
            "entries": len(tables.entries),
            "findings": [finding.to_json() for finding in findings],
        }
        typer.echo(json_text(data), nl=False)
    else:
        typer.echo(report.text_report(findings), nl=False)
    typer.echo(f"{len(tables.entries)} entries, {len(findings)} findings", err=True)
    return report.exit_code(findings)


@mappings_app.command(
    epilog="""Examples:
  porter mappings verify torch.cat torch.Tensor.view
  porter mappings verify --mappings tables --mode graph --mode gradient"""
)
def verify(
    names: NamesArgument = None,
    mappings: MappingsOption = None,
    mode: Annotated[
        list[SampleMode] | None,
        typer.Option(help="Run in this mode; repeatable. Otherwise graph and pynative."),
    ] = None,
    derived: Annotated[
        bool, typer.Option("--derived", help="Run the other spellings of each sample, too.")
    ] = False,
    output_format: FormatOption = Format.TEXT,
) -> int:
    """Run the samples of entries in PyTorch and, ported, in MindSpore, and compare."""
    from porter.mapping.command import choose, verify_tables
    from porter.mapping.verify import QUICK

    tables = choose(names or (), mappings)
    with progress("Verifying mappings") as update:
        results = verify_tables(tables, mode or QUICK, derived=derived, progress=update)
    failed = [result for result in results if result.code]
    if output_format is Format.JSON:
        typer.echo(json_text(_verified(tables, results)), nl=False)
    else:
        typer.echo("".join(f"{result}\n" for result in failed), nl=False)
    expected = sum(bool(result.limit) for result in results)
    outputs = sum(result.outputs for result in results)
    print(
        f"{len(tables.entries)} entries: {len(results) - len(failed)} of {len(results)} runs hold,"
        f" {expected} of them expected failures; {outputs} outputs compared",
        file=sys.stderr,
    )
    return 1 if failed else 0


def _verified(tables: Tables, results: list[SampleResult]) -> dict[str, object]:
    return {
        "entries": len(tables.entries),
        "runs": [
            {
                "sample": result.case.task,
                "mode": result.mode,
                "code": result.code,
                "message": result.message,
                "limit": result.limit,
                "outputs": result.outputs,
            }
            for result in results
        ],
    }
