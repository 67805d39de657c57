"""Say how an output is written, apart from what goes into it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from porter.types import PorterError

DEFAULT_SHARD_SIZE = 5 * 10**9
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_SIZE = re.compile(r"(\d+)\s*([KMG]?B?)", re.IGNORECASE)
Engine = Literal["threads", "ray"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to write: `suffix` and `shard_size` count for a folder, a file is written whole.

    `workers` files are written at a time, where None leaves the number to the machine.
    """

    suffix: str = ".safetensors"
    shard_size: int = DEFAULT_SHARD_SIZE
    verify: bool = True
    manifest: bool = False
    resume: bool = False
    dry_run: bool = False
    workers: int | None = None
    engine: Engine = "threads"


DEFAULTS = Settings()


def read_size(text: str) -> int:
    """Return the bytes of a size such as 5GB or 200MB; raises PorterError (PRT703)."""
    match = _SIZE.fullmatch(text.strip())
    unit = _UNITS.get(match[2].upper()) if match else None
    if match is None or unit is None or int(match[1]) * unit == 0:
        raise PorterError("PRT703", f"no size of a file: {text!r}", hint="such as 5GB or 200MB")
    return int(match[1]) * unit
