"""Describe the Parameters of a Cell in a process of its own, which ends before tensors move.

MindSpore takes hundreds of megabytes by its import, and a Cell the memory of all its Parameters.
The process that converts needs neither: it gets names, shapes and dtypes as a file.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from porter.types import PorterError, Position
from porter.weights.dtypes import DTYPES
from porter.weights.names import NameMap, ParameterNames, SourceName
from porter.weights.transforms import parse_transform
from porter.weights.values import Part

NAMES, CONSTANTS = "names.json", "constants.npz"


@dataclass(frozen=True, slots=True)
class CellReference:
    """How a Cell is found and built, as `porter.weights.cell.build_cell` reads it."""

    cell: str | None = None
    port: Path | None = None
    config: Path | None = None
    mappings: Path | None = None


def describe_cell(reference: CellReference, wanted: Sequence[str]) -> NameMap:
    """Return the name map of a Cell, and its constants among the torch names `wanted`.

    Raises PorterError: PRT704 where the process ends early, and what building and mapping raise.
    """
    with tempfile.TemporaryDirectory(prefix="porter-") as name:
        folder = Path(name)
        job = {
            "cell": reference.cell,
            "port": _text(reference.port),
            "config": _text(reference.config),
            "mappings": _text(reference.mappings),
            "wanted": list(wanted),
        }
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        command = [sys.executable, "-P", "-m", "porter.weights.describe_worker", str(folder)]
        # What the model's own code prints must not reach stdout, which is the report's.
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=2, env=_environment(), check=False
        )
        if not (folder / NAMES).is_file():
            raise PorterError("PRT704", f"building the Cell ended with {_end(ended.returncode)}")
        document = json.loads((folder / NAMES).read_text(encoding="utf-8"))
        if "error" in document:
            raise _error(document["error"])
        return _read_names(folder, document)


def write_names(folder: Path, names: NameMap) -> None:
    """Write what `describe_cell` reads."""
    constants = {}
    dtypes = {}
    for index, (name, (value, dtype)) in enumerate(names.constants.items()):
        constants[str(index)] = value
        dtypes[name] = dtype.name
    np.savez(folder / CONSTANTS, **constants)
    document = {
        "parameters": [_describe(parameter) for parameter in names.parameters],
        "dropped": dict(names.dropped),
        "constants": dtypes,
    }
    write_document(folder, document)


def write_error(folder: Path, error: PorterError) -> None:
    """Write an error that `describe_cell` raises."""
    position = error.position
    document = {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "position": [position.path, position.line, position.column] if position else None,
        "exit_code": error.exit_code,
    }
    write_document(folder, {"error": document})


def write_document(folder: Path, document: dict[str, Any]) -> None:
    """Write the document aside and name it: the file is there when it is whole."""
    aside = folder / f"{NAMES}.new"
    aside.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    aside.replace(folder / NAMES)


def _describe(parameter: ParameterNames) -> dict[str, Any]:
    return {
        "key": parameter.key,
        "shape": parameter.shape,
        "dtype": parameter.dtype.name,
        "sources": [
            {
                "names": source.names,
                "transform": str(source.transform),
                "rule": source.rule,
                "axis": source.axis,
                "part": [source.part.axis, source.part.index, source.part.sizes]
                if source.part
                else None,
            }
            for source in parameter.sources
        ],
    }


def _read_names(folder: Path, document: dict[str, Any]) -> NameMap:
    parameters = tuple(
        ParameterNames(
            item["key"],
            tuple(_source(source) for source in item["sources"]),
            tuple(item["shape"]),
            DTYPES[item["dtype"]],
        )
        for item in document["parameters"]
    )
    with np.load(folder / CONSTANTS, allow_pickle=False) as arrays:
        constants = {
            name: (arrays[str(index)], DTYPES[dtype])
            for index, (name, dtype) in enumerate(document["constants"].items())
        }
    return NameMap(parameters, document["dropped"], constants)


def _source(item: dict[str, Any]) -> SourceName:
    part = item["part"]
    return SourceName(
        tuple(item["names"]),
        parse_transform(item["transform"]),
        item["rule"],
        item["axis"],
        Part(part[0], part[1], tuple(part[2])) if part else None,
    )


def _error(item: dict[str, Any]) -> PorterError:
    position = Position(*item["position"]) if item["position"] else None
    return PorterError(
        item["code"],
        item["message"],
        hint=item["hint"],
        position=position,
        exit_code=item["exit_code"],
    )


def _end(code: int) -> str:
    if code < 0:
        return f"the signal {signal.Signals(-code).name}"
    return f"status {code}"


def _environment() -> dict[str, str]:
    """Let the worker import what this process does, porter from a source tree included."""
    paths = [path for path in sys.path if path]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def _text(path: Path | None) -> str | None:
    return str(path) if path is not None else None
