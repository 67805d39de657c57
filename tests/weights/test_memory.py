"""Test that the memory of a conversion does not grow with the checkpoint."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from porter.weights.produce import Budget, same_values
from porter.weights.read import open_checkpoint
from porter.weights.values import Source
from tests.weights.plain import ROOT, start

MEGABYTE = 1 << 20
FIXED = 300 * MEGABYTE


def peak_of(folder: Path, *options: str) -> int:
    """Return the largest resident memory of a conversion, in bytes, as the kernel counts it."""
    if not sys.platform.startswith("linux"):
        pytest.skip("reads /proc")
    run = start("in", "-o", "out", *options, cwd=folder)
    peak = 0
    while run.poll() is None:
        status = Path(f"/proc/{run.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        peak = max(peak, int(found[1]) * 1024) if found else peak
        time.sleep(0.005)
    assert run.returncode == 0
    return peak


def write(folder: Path, count: int, items: int, rank: int) -> None:
    """Write `count` float16 tensors; of rank 3 the guess inserts an axis, of rank 2 none."""
    shape = (items // 1024, 1024) if rank == 2 else (items // 4096, 1024, 4)
    (folder / "in").mkdir()
    value = np.zeros(shape, np.float16)
    tensors = {f"layers.{number}.weight": value for number in range(count)}
    safetensors.numpy.save_file(tensors, folder / "in" / "model.safetensors")


def test_a_rename_takes_the_same_memory_for_ten_times_the_tensors(folder: Path) -> None:
    peaks = []
    for count in (2, 20):
        place = folder / str(count)
        place.mkdir()
        write(place, count, 8 * MEGABYTE, 2)
        peaks.append(peak_of(place, "--max-shard-size", "64MB"))
    # 304 MB more of tensors: a tenth of them would show.
    assert peaks[1] - peaks[0] < 30 * MEGABYTE
    assert peaks[1] < FIXED


def test_tied_tensors_are_compared_in_pieces(folder: Path) -> None:
    (folder / "in").mkdir()
    value = np.zeros((32 * 1024, 1024), np.float16)
    tensors = {"embed.weight": value, "head.weight": value.copy()}
    safetensors.numpy.save_file(tensors, folder / "in" / "model.safetensors")
    opened = open_checkpoint(folder / "in")
    one, two = (Source(info) for info in opened.tensors.values())
    tracemalloc.start()
    assert same_values(one, two, opened)
    assert tracemalloc.get_traced_memory()[1] < 8 * MEGABYTE
    tracemalloc.stop()


RULE = "[[rule]]\ntransform = '.*'\nby = 'permute:1,0'\n"


@pytest.mark.parametrize("options", [(), ("--dtype", "float32")])
def test_a_transposition_takes_twice_the_largest_tensor(
    folder: Path, options: tuple[str, ...]
) -> None:
    write(folder, 6, 32 * MEGABYTE, 2)
    (folder / "rules.toml").write_text(RULE)
    largest = 64 * MEGABYTE
    peak = peak_of(
        folder, "--rules", "rules.toml", "--max-shard-size", "70MB", "--workers", "4", *options
    )
    assert peak > largest
    assert peak < 120 * MEGABYTE + 2 * largest


def test_a_budget_lets_in_what_is_too_large_alone() -> None:
    budget = Budget(10)
    with budget.hold(30):
        pass
    with budget.hold(4), budget.hold(6):
        pass


def processor_seconds(command: list[str], folder: Path) -> float:
    """Run a command with the source tree of porter, and return what it took of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / "out")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.slow
def test_a_rename_takes_little_more_of_the_processor_than_a_copy(folder: Path) -> None:
    # Time by the clock depends on what else the machine does; benchmarks/weights.py shows it.
    for name, count in (("small", 1), ("large", 16)):
        (folder / name).mkdir()
        write(folder / name, count, 32 * MEGABYTE, 2)
    copied, small, large = [], [], []
    porter = [sys.executable, "-m", "porter", "weights", "-o", "out", "--infer", "--no-verify"]
    for _ in range(3):
        copied.append(processor_seconds(["cp", "-r", "large/in", "out"], folder))
        small.append(processor_seconds([*porter, "small/in"], folder))
        large.append(processor_seconds([*porter, "large/in"], folder))
    # Of 16 tensors, 15 are behind the difference.
    assert min(large) - min(small) < 3 * min(copied)
