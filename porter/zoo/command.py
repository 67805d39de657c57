"""Port and verify all models of a zoo."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from porter.emit.write import write_text
from porter.types import PorterError, Position
from porter.zoo.entry import find_entry, read_zoo
from porter.zoo.report import zoo_page
from porter.zoo.results import ModelResult, ZooReport
from porter.zoo.schedule import Limits, Model, run_models

PAGE = "zoo.html"
_PACKAGES = ("porter-mindspore", "torch", "mindspore", "numpy", "transformers")
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")


def run_zoo(
    path: Path,
    output: Path,
    *,
    only: Sequence[str] = (),
    jobs: int = 1,
    limits: Limits,
    engine: str = "processes",
    again: bool = False,
    mappings_directory: Path | None = None,
    progress: Callable[[ModelResult], None] = lambda _result: None,
) -> ZooReport:
    """Run each model of the zoo file `path` in a folder of its own below `output`.

    This executes the models' own code. A model whose result lies there, made from the same entry by
    the same version of porter, is not run again, unless `again` says so. The page is written to
    `output`/zoo.html.

    Raises PorterError: PRT701 and PRT702 for a zoo that cannot be read, PRT703 for an unknown
    model, PRT405 where the output cannot be written.
    """
    started = time.monotonic()
    entries = read_zoo(path)
    for entry in entries:
        if not _IDENTIFIER.fullmatch(str(entry["id"])):
            message = f"the id {entry['id']!r} is no name of a folder"
            raise PorterError("PRT703", message, position=Position(str(path)))
    if only:
        entries = [find_entry(entries, identifier, path) for identifier in dict.fromkeys(only)]
    root = output.resolve()
    models = [
        Model(
            entry,
            path.resolve(),
            root / entry["id"],
            mappings_directory.resolve() if mappings_directory else None,
            limits,
        )
        for entry in entries
    ]
    results = run_models(models, jobs, engine, again, progress)
    report = ZooReport(
        zoo=str(path),
        models=tuple(results),
        versions=_versions(),
        seconds=time.monotonic() - started,
    )
    write_text(root / PAGE, zoo_page(report))
    return report


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions
