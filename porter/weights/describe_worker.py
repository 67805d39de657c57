"""Build one Cell and write down its names: `python -m porter.weights.describe_worker FOLDER`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from porter.mapping.load import load_mappings
from porter.types import PorterError, one_line
from porter.weights.cell import build_cell
from porter.weights.describe import write_error, write_names
from porter.weights.names import map_names


def main(folder: Path) -> None:
    """Carry out the job in `folder`; whatever goes wrong is written there as an error."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    try:
        mapping = load_mappings(_path(job["mappings"]))
        with _without_values():
            cell = build_cell(job["cell"], _path(job["port"]), _path(job["config"]))
        write_names(folder, map_names(cell, mapping, job["wanted"]))
    except PorterError as error:
        write_error(folder, error)
    except Exception as error:  # noqa: BLE001 - the last place that can still turn a defect into a line
        write_error(folder, PorterError("PRT904", one_line(error)))


@contextmanager
def _without_values() -> Iterator[None]:
    """Leave Parameters that an initializer fills without memory, where MindSpore offers that."""
    try:
        from mindspore.nn.utils import no_init_parameters
    except ImportError:
        yield
        return
    with no_init_parameters():
        yield


def _path(text: str | None) -> Path | None:
    return Path(text) if text is not None else None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
