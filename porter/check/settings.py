"""Read `[tool.porter.check]` from the pyproject.toml that governs what is checked."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from porter.emit.report import CODE_PREFIX
from porter.types import PorterError, Position


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project says of its checks: codes by their beginning, and paths to leave out."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def find_settings(start: Path) -> Settings:
    """Return the settings of the nearest pyproject.toml at or above a path.

    Raises:
        PorterError: PRT802 where the table has an unknown key or a value of the wrong form.
    """
    folder = start.resolve()
    for parent in [folder, *folder.parents]:
        path = parent / "pyproject.toml"
        if path.is_file():
            return _read(path)
    return Settings()


def _read(path: Path) -> Settings:
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PorterError("PRT802", f"cannot read {path}: {error}") from error
    table = document.get("tool", {}).get("porter", {}).get("check", {})
    position = Position(str(path))
    known = [item.name for item in fields(Settings)]
    for key, value in table.items():
        if key not in known:
            hint = f"known: {', '.join(sorted(known))}"
            raise PorterError(
                "PRT802",
                f"[tool.porter.check] has no setting {key!r}",
                hint=hint,
                position=position,
            )
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise PorterError(
                "PRT802",
                f"[tool.porter.check] {key} is no list of texts",
                hint='write ["PRT305"]',
                position=position,
            )
        for item in value if key != "exclude" else ():
            if not CODE_PREFIX.fullmatch(item):
                raise PorterError(
                    "PRT802",
                    f"[tool.porter.check] {key} names {item!r}, which starts no code",
                    hint="codes look like PRT305; porter rule lists them",
                    position=position,
                )
    return Settings(**{key: tuple(value) for key, value in table.items()})
