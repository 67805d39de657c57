"""Write checkpoints and convert them without a Cell, where the test is of files alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from porter.weights.convert import Conversion
from porter.weights.report import WeightReport
from porter.weights.selection import Selection
from porter.weights.settings import Settings

ROOT = Path(__file__).parents[2]


def write_shards(folder: Path, shards: int = 3, items: int = 1000) -> dict[str, Any]:
    """Write a sharded checkpoint, each shard with two tensors of `items` floats; return them."""
    folder.mkdir()
    random = np.random.default_rng(7)
    places: dict[str, str] = {}
    held: dict[str, Any] = {}
    for number in range(shards):
        name = f"model-{number + 1:05}-of-{shards:05}.safetensors"
        part = {
            f"layers.{number}.{local}.weight": random.random(items, np.float32)
            for local in ("first", "second")
        }
        safetensors.numpy.save_file(part, folder / name)
        places |= dict.fromkeys(part, name)
        held |= part
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return held


def convert_plain(
    source: Path | str, output: Path, selection: Selection | None = None, **settings: Any
) -> WeightReport:
    """Convert with guessed names, in this process."""
    chosen = Settings(manifest=True, **settings)
    return Conversion(source, output, selection or Selection(), chosen).infer()


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start `porter weights` with guessed names."""
    command = [sys.executable, "-m", "porter", "weights", *arguments, "--infer"]
    return subprocess.Popen(
        command,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def read_folder(folder: Path) -> dict[str, Any]:
    """Return every tensor of a folder of .safetensors files, as the index places them."""
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    found: dict[str, Any] = {}
    for name, shard in index["weight_map"].items():
        found[name] = safetensors.numpy.load_file(folder / shard)[name]
    return found
