"""Read the files of data that users write."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from porter.types import PorterError, Position


def read_document(path: Path) -> Any:
    """Return the data of a JSON file, or of a TOML file by its suffix.

    Raises PorterError PRT701 where it cannot be read.
    """
    position = Position(str(path))
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PorterError("PRT701", f"cannot read it: {reason}", position=position) from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            position = Position(str(path), error.lineno, error.colno)
        raise PorterError("PRT701", f"not JSON or TOML: {error}", position=position) from error


def read_table(path: Path) -> dict[str, Any]:
    """Return the data of a JSON or TOML file that holds one table.

    Raises PorterError PRT701 where it cannot be read, PRT703 where it holds something else.
    """
    document = read_document(path)
    if not isinstance(document, dict):
        raise PorterError("PRT703", "it is no table", position=Position(str(path)))
    return document
