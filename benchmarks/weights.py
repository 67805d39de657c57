"""Measure converting a checkpoint whose tensors only get other names, against `cp`.

Both read from the page cache, in turn, and the best of some rounds counts. `sync` shows how much of
what `cp` wrote is not on the disk yet; the files of porter are, when it ends.

    python benchmarks/weights.py --gigabytes 8 --folder /somewhere/on/the/disk
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import safetensors.numpy
from rich.console import Console
from rich.table import Table

GOAL = 0.7
SHARD = 16
"""Tensors of 2**25 bytes in one file."""
PORTER = [sys.executable, "-m", "porter", "weights", "--infer", "--max-shard-size", "540MB"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}


def write_checkpoint(folder: Path, shards: int) -> int:
    """Write a sharded checkpoint of float16 and return its bytes."""
    folder.mkdir()
    random = np.random.default_rng(1)
    places: dict[str, str] = {}
    for number in range(shards):
        name = f"model-{number + 1:05}-of-{shards:05}.safetensors"
        part = {
            f"layers.{number}.{local}.weight": random.integers(0, 256, (4096, 8192), np.uint8).view(
                np.float16
            )
            for local in range(SHARD)
        }
        safetensors.numpy.save_file(part, folder / name)
        places |= dict.fromkeys(part, name)
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return sum(file.stat().st_size for file in folder.iterdir())


def run(command: list[str], output: Path) -> tuple[float, float]:
    """Return the seconds of a command by the clock and by the processor; remove its output."""
    # What an earlier one wrote must not be in the way.
    os.sync()
    before = os.times()
    start = time.monotonic()
    subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True)
    clock = time.monotonic() - start
    after = os.times()
    shutil.rmtree(output, ignore_errors=True)
    used = after.children_user + after.children_system
    return clock, used - before.children_user - before.children_system


def main() -> None:
    """Measure, and print one table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where to write; the system's own otherwise")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        shards = max(1, round(options.gigabytes * 1e9 / (SHARD << 25)))
        size = write_checkpoint(folder / "in", shards)
        tiny = folder / "tiny"
        tiny.mkdir()
        safetensors.numpy.save_file({"a": np.zeros(1)}, tiny / "model.safetensors")
        output = folder / "out"
        copy = ["cp", "-r", str(folder / "in"), str(output)]
        convert = [*PORTER, str(folder / "in"), "-o", str(output)]
        commands = {
            "cp": copy,
            "cp, sync": ["sh", "-c", '"$@" && sync', "sh", *copy],
            "porter, one small tensor": [*PORTER, str(tiny), "-o", str(output)],
            "porter --no-verify": [*convert, "--no-verify"],
            "porter": convert,
        }
        # The first copy brings the files into the page cache.
        run(copy, output)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                found[name].append(run(command, output))
    best = {name: min(times) for name, times in found.items()}
    table = Table("measured", "seconds", "GB/s", "of cp", "goal", "processor seconds")
    for name, (clock, used) in best.items():
        whole = name != "porter, one small tensor"
        table.add_row(
            name,
            f"{clock:.2f}",
            f"{size / clock / 1e9:.2f}" if whole else "",
            f"{best['cp'][0] / clock:.2f}" if whole else "",
            f"{GOAL}" if name == "porter --no-verify" else "",
            f"{used:.2f}",
        )
    console = Console()
    console.print(f"{size / 1e9:.2f} GB in {shards} files, the best of {options.rounds} rounds")
    console.print(table)


if __name__ == "__main__":
    main()
