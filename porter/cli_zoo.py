"""Add the command that measures ports on many models: zoo."""

from __future__ import annotations

import enum
import os
from pathlib import Path
from typing import Annotated

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


class ZooEngine(enum.StrEnum):
    """Choose where the models are run."""

    PROCESSES = "processes"
    RAY = "ray"


@app.command(
    epilog="""Examples:
  porter zoo models.json -o out
  porter zoo models.json -o out --only bert,gpt2 --jobs 4 --format json
  porter zoo models.json -o out --memory-limit 16 --time-limit 600"""
)
def zoo(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSON list of model classes with inputs.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Ports, results and zoo.html.")
    ],
    only: Annotated[
        str | None, typer.Option(metavar="ID,...", help="Run these models only.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Models at a time; half the cores.")
    ] = None,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="What one model may take.")
    ] = 900.0,
    memory_limit: Annotated[
        float, typer.Option(metavar="GIB", min=0.1, help="What one model may take.")
    ] = 12.0,
    engine: Annotated[
        ZooEngine, typer.Option(help="Run in processes of this machine, or on a Ray cluster.")
    ] = ZooEngine.PROCESSES,
    force: Annotated[
        bool, typer.Option("--force", help="Run again what an earlier run finished.")
    ] = False,
    output_format: FormatOption = Format.TEXT,
    mappings: MappingsOption = None,
) -> int:
    """Port and verify a list of models. This runs the models' own code."""
    from porter.zoo.command import run_zoo
    from porter.zoo.report import print_zoo
    from porter.zoo.results import ModelResult
    from porter.zoo.schedule import Limits

    done = 0
    with progress(f"Running {file}") as update:

        def note(result: ModelResult) -> None:
            nonlocal done
            done += 1
            update(f"{done} done, the last {result.identifier}: {result.verdict}")

        report = run_zoo(
            file,
            output,
            only=[name.strip() for name in only.split(",")] if only else (),
            jobs=jobs or max(1, (os.cpu_count() or 1) // 2),
            limits=Limits(time_limit, int(memory_limit * 2**30)),
            engine=engine.value,
            again=force,
            mappings_directory=mappings,
            progress=note,
        )
    if output_format is Format.JSON:
        typer.echo(json_text(report.to_json()), nl=False)
    else:
        print_zoo(report, console())
        console().print(f"page: {output / 'zoo.html'}", markup=False, highlight=False)
    return 0 if report.passed else 1
