"""Write down what a converted checkpoint was made of, so that it can be audited later."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import porter
from porter.types import PorterError, Position
from porter.weights.dtypes import DTYPES
from porter.weights.location import Location, reason_of
from porter.weights.report import WeightReport
from porter.weights.shards import Shard, Written
from porter.weights.target import manifest_path
from porter.weights.tensor import Checkpoint, TensorInfo

VERSION = 1


def run_key(files: Sequence[Location], shards: Sequence[Shard], options: dict[str, Any]) -> str:
    """Return what two runs have in common that may share finished files."""
    stamps = [[str(file), file.stamp()] for file in files]
    plan = [[shard.file, repr(shard.tensors)] for shard in shards]
    text = json.dumps([porter.__version__, VERSION, stamps, plan, options], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def manifest_text(
    report: WeightReport,
    checkpoint: Checkpoint,
    written: Sequence[Written],
    options: dict[str, Any],
    versions: dict[str, str],
) -> str:
    """Return the manifest: sources with size and time, files with checksums, every tensor's way."""
    document = {
        "manifest": VERSION,
        "porter": porter.__version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, **versions},
        "source": {
            "checkpoint": str(report.checkpoint),
            "files": [{"file": str(file), "stamp": file.stamp()} for file in checkpoint.files()],
            "tensors": [
                {"name": info.name, "shape": list(info.shape), "dtype": info.dtype.name}
                for info in checkpoint.tensors.values()
            ],
        },
        "options": options,
        "files": [
            {"file": item.file, "size": item.size, "sha256": item.sha256, "verified": item.verified}
            for item in written
        ],
        "tensors": [asdict(tensor) for tensor in report.tensors],
        "ignored": [asdict(tensor) for tensor in report.ignored],
        "findings": [finding.to_json() for finding in report.findings()],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def read_source_tensors(place: Path) -> list[TensorInfo]:
    """Return the tensors that the checkpoint at `place`, a file or folder, was made from.

    Raises PorterError (PRT507) where it has no manifest.
    """
    path = manifest_path(place)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return [
            TensorInfo(item["name"], tuple(item["shape"]), DTYPES[item["dtype"]])
            for item in document["source"]["tensors"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PorterError(
            "PRT507",
            f"unreadable manifest: {reason_of(error)}",
            hint="the manifest tells the names of the original, which rules cannot give back",
            position=Position(str(path)),
        ) from error
