"""Write a port's package folder in one step, or leave the disk as it was."""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
import tokenize
import warnings
from pathlib import Path
from typing import Any

from porter.types import PortedFile, PorterError, PortResult, Position

MANIFEST_NAME = "port.json"


def write_port(result: PortResult, directory: Path, force: bool = False) -> Path:
    """Write the files and the manifest of `result` as the folder `directory`; return its full path.

    The folder is written aside, in the same parent, and renamed: a reader sees all of it or none.
    `force` replaces a folder that holds a manifest, or nothing; any other is never touched.

    Raises PorterError: PRT401 where something is in the way, PRT402 where an emitted Python file
    does not parse, PRT405 where the disk refuses. The old folder is then still complete.
    """
    contents = _encode_all(result)
    target = directory.resolve()
    check_output(target, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise _not_writable(directory, error) from error
    try:
        # mkdtemp makes a private folder; the one below it has the usual permissions.
        fresh = aside / "new"
        _write_files(fresh, contents)
        _replace(fresh, target, aside / "old")
    except OSError as error:
        raise _not_writable(directory, error) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def check_output(directory: Path, force: bool = False) -> None:
    """Raise PorterError (PRT401) when `write_port` would refuse `directory` as its output."""
    target = directory.resolve()
    if not target.exists():
        return
    position = Position(str(directory))
    if not target.is_dir():
        raise PorterError("PRT401", "the output exists and is no folder", position=position)
    if not force:
        raise PorterError(
            "PRT401",
            "the output folder exists",
            hint="--force replaces an earlier port",
            position=position,
        )
    if (target / MANIFEST_NAME).is_file() or not any(target.iterdir()):
        return
    raise PorterError(
        "PRT401",
        f"the output folder holds files and no {MANIFEST_NAME}, so it is no earlier port",
        hint="choose another folder",
        position=position,
    )


def write_text(path: Path, text: str) -> None:
    """Write one UTF-8 file aside and move it into place; PorterError (PRT405) where that fails."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            aside.write_text(text, encoding="utf-8", newline="")
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise _not_writable(path, error) from error


def manifest_text(manifest: dict[str, Any]) -> str:
    """Return the manifest as it is written: indented JSON in UTF-8, with a final newline."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _encode_all(result: PortResult) -> dict[Path, bytes]:
    contents: dict[Path, bytes] = {}
    for file in result.files:
        if file.path.is_absolute() or ".." in file.path.parts or file.path in contents:
            raise PorterError("PRT904", f"emitted file {file.path} is outside or given twice")
        contents[file.path] = _encode(file)
    contents[Path(MANIFEST_NAME)] = manifest_text(result.manifest).encode("utf-8")
    return contents


def _encode(file: PortedFile) -> bytes:
    """Encode the text as it declares itself (`# coding: latin-1`); parse what Python will read."""
    if file.path.suffix != ".py":
        return file.text.encode("utf-8")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(file.text.encode("utf-8")).readline)
        data = file.text.encode(encoding)
        with warnings.catch_warnings():
            # The source's own invalid escapes are not for the person who ports it.
            warnings.simplefilter("ignore")
            compile(data, str(file.path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise PorterError(
            "PRT402",
            f"the emitted file does not parse: {getattr(error, 'msg', error)}",
            hint="please report it with the source that was ported",
            position=Position(str(file.path), line, getattr(error, "offset", None) or 1),
        ) from error
    return data


def _write_files(folder: Path, contents: dict[Path, bytes]) -> None:
    folder.mkdir()
    for path, data in contents.items():
        destination = folder / path
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_bytes(data)


def _replace(fresh: Path, target: Path, old: Path) -> None:
    """Put `fresh` at `target`; what was there moves to `old`, and back when the rename fails."""
    replaced = target.is_dir()
    if replaced:
        target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        if replaced:
            old.rename(target)
        raise


def _not_writable(directory: Path, error: OSError) -> PorterError:
    return PorterError(
        "PRT405",
        f"cannot write the output: {error.strerror or error}",
        position=Position(str(directory)),
    )
