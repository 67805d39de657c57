"""Hold what the commands share: the application, common options, progress and printing."""

from __future__ import annotations

import enum
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from rich.console import Console

_ORDER = (
    *("port", "weights", "verify", "run", "zoo"),
    *("check", "compile", "explain", "mappings", "rule"),
)


class _Commands(TyperGroup):
    """List the commands in the order in which they are used."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=_ORDER.index)


app = typer.Typer(
    name="porter",
    cls=_Commands,
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


PortOption = Annotated[
    Path | None, typer.Option("--port", metavar="DIR", help="Folder that porter port wrote.")
]


@contextmanager
def progress(message: str) -> Iterator[Callable[[str], None]]:
    """Show `message` on stderr while a stage works; nothing when stderr is no terminal.

    Yields a function that adds what is being done now.
    """
    if not sys.stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console

    with Console(stderr=True).status(message) as status:
        yield lambda step: status.update(f"{message}: {step}")


def console() -> Console:
    """Return stdout for tables: as wide as the terminal, and wide enough for a file."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=160)


def json_text(data: dict[str, Any]) -> str:
    """Return a JSON document as commands print it."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
