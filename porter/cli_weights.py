"""Add the command that converts checkpoints: weights."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from porter.cli_common import Format, FormatOption, MappingsOption, PortOption, app


class Kind(enum.StrEnum):
    """Choose the format of the files in a folder."""

    SAFETENSORS = "safetensors"
    CKPT = "ckpt"


class EngineName(enum.StrEnum):
    """Choose what writes the files of a folder."""

    THREADS = "threads"
    RAY = "ray"


@app.command(
    epilog="""Examples:
  porter weights model.safetensors -o net.safetensors --port out --config config.json
  porter weights model.bin -o net.ckpt --cell net.py:Net --config net.toml --dtype float16
  porter weights s3://bucket/model -o net --port out --max-shard-size 2GB --resume
  porter weights net.ckpt -o back.safetensors --port out --reverse"""
)
def weights(
    checkpoint: Annotated[
        str,
        typer.Argument(metavar="CHECKPOINT", help="File, index or folder of weights, or its URL."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="PATH", help="File to write, or folder where it may be large."
        ),
    ],
    port: PortOption = None,
    cell: Annotated[
        str | None,
        typer.Option(metavar="MODULE:CLASS", help="The Cell to fill; with --port, a class of it."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON or TOML that says how to build it.")
    ] = None,
    infer: Annotated[
        bool, typer.Option("--infer", help="Guess MindSpore's names where there is no Cell.")
    ] = False,
    key: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which state dict of a torch file."),
    ] = None,
    prefix: Annotated[
        str, typer.Option(metavar="TEXT", help="Take the names below this prefix, without it.")
    ] = "",
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="REGEX", help="Names of the checkpoint to leave out; repeatable."),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML rules for the checkpoint's own names.")
    ] = None,
    dtype: Annotated[
        str | None, typer.Option(metavar="NAME", help="Cast floating weights: float16, bfloat16.")
    ] = None,
    allow_missing: Annotated[
        bool,
        typer.Option("--allow-missing/--strict", help="Leave out Parameters that nothing fills."),
    ] = False,
    allow_unexpected: Annotated[
        bool, typer.Option("--allow-unexpected", help="Leave out tensors that the Cell lacks.")
    ] = False,
    max_shard_size: Annotated[
        str, typer.Option(metavar="SIZE", help="Largest file in a folder.")
    ] = "5GB",
    kind: Annotated[
        Kind, typer.Option("--file-format", help="Format of the files in a folder.")
    ] = Kind.SAFETENSORS,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print every rename and write nothing.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Compare every tensor, and take checksums.")
    ] = True,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the files that an earlier run finished.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Files that are written at a time.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option(help="Write with threads, or on a Ray cluster.")
    ] = EngineName.THREADS,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="Turn converted weights back into torch names.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the output.")] = False,
    output_format: FormatOption = Format.TEXT,
    mappings: MappingsOption = None,
) -> int:
    """Convert a checkpoint for a ported Cell, and read back what was written."""
    from porter.weights.command import Request, weights_command
    from porter.weights.describe import CellReference
    from porter.weights.file_rules import read_rules
    from porter.weights.selection import Selection
    from porter.weights.settings import Settings, read_size

    return weights_command(
        checkpoint,
        output,
        reference=CellReference(cell, port, config, mappings),
        selection=Selection(
            prefix=prefix,
            ignore=tuple(ignore or ()),
            dtype=dtype,
            key=key,
            rules=read_rules(rules) if rules is not None else (),
            allow_missing=allow_missing,
            allow_unexpected=allow_unexpected,
        ),
        settings=Settings(
            suffix=f".{kind.value}",
            shard_size=read_size(max_shard_size),
            verify=verify,
            manifest=True,
            resume=resume,
            dry_run=dry_run,
            workers=workers,
            engine=engine.value,
        ),
        request=Request(infer, reverse, force, output_format.value),
    )
