"""Run the models of a zoo side by side, within limits, and keep what is finished."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from porter import __version__
from porter.cluster import on_ray
from porter.emit.write import write_text
from porter.parity.worker import end, reason, start
from porter.zoo.results import Cause, ModelResult, from_json
from porter.zoo.worker import stopped

_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Limits:
    """What one model may take: seconds, and bytes of resident memory of all its processes."""

    seconds: float
    bytes: int


@dataclass(frozen=True, slots=True)
class Model:
    """One model to run: all that a process elsewhere needs to know of it."""

    entry: dict[str, Any]
    zoo: Path
    folder: Path
    mappings: Path | None
    limits: Limits

    @property
    def key(self) -> str:
        """What a finished result must have been made from to be kept."""
        text = json.dumps([__version__, self.entry, str(self.mappings)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def finished(model: Model) -> ModelResult | None:
    """Return the result of an earlier run of the same entry by the same version of porter."""
    try:
        if (model.folder / "key.txt").read_text() == model.key:
            return from_json(json.loads((model.folder / "result.json").read_text()))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # there is none, or not a whole one
    return None


def run_model(model: Model) -> ModelResult:
    """Run one model in a process of its own, and keep its result in its folder.

    Raises PorterError PRT405 where the folder cannot be written.
    """
    shutil.rmtree(model.folder, ignore_errors=True)
    job = {
        "entry": model.entry,
        "zoo": str(model.zoo),
        "mappings": str(model.mappings) if model.mappings else None,
    }
    write_text(model.folder / "job.json", json.dumps(job, indent=2))
    result = _watched(model)
    write_text(model.folder / "result.json", json.dumps(result.to_json(), indent=2))
    write_text(model.folder / "key.txt", model.key)
    return result


def _watched(model: Model) -> ModelResult:
    """Run the worker until it ends or takes more than it may."""
    started, peak, why = time.monotonic(), 0, ""
    error_path = model.folder / "stderr.txt"
    with error_path.open("wb") as error_file:
        job = str(model.folder / "job.json")
        process = start("porter.zoo.worker", [job], model.folder, error_file)
        try:
            while process.poll() is None:
                time.sleep(_POLL_SECONDS)
                peak = max(peak, _resident(process.pid))
                if time.monotonic() - started > model.limits.seconds:
                    why = f"not done within {model.limits.seconds:g} seconds"
                elif peak > model.limits.bytes:
                    why = f"took more than {model.limits.bytes / 2**30:.1f} GiB of memory"
                if why:
                    break
        finally:
            # Its own workers end when their parent is gone.
            end(process)
    seconds = time.monotonic() - started
    if not why and process.returncode == 0:
        data = json.loads((model.folder / "result.json").read_text())
        return replace(from_json(data), peak_bytes=peak)
    cause = Cause("PRT608", why or reason(process.returncode, error_path))
    return replace(stopped(model.entry, cause, seconds), peak_bytes=peak)


def _resident(pid: int) -> int:
    """Return the bytes of resident memory of a process and of all below it."""
    total = 0
    try:
        parent = psutil.Process(pid)
        for process in [parent, *parent.children(recursive=True)]:
            try:
                total += process.memory_info().rss
            except psutil.Error:
                continue
    except psutil.Error:
        return total
    return total


def run_models(
    models: Sequence[Model],
    jobs: int,
    engine: str,
    again: bool,
    progress: Callable[[ModelResult], None],
) -> list[ModelResult]:
    """Run the models that are not finished, or all `again`, and return all results in order.

    Raises PorterError like `run_model`, and PRT703 for an engine that is not installed.
    """
    results = {model.entry["id"]: None if again else finished(model) for model in models}
    for result in results.values():
        if result is not None:
            progress(result)
    waiting = [model for model in models if results[model.entry["id"]] is None]
    run = _on_ray if engine == "ray" else _in_processes
    for result in run(waiting, jobs):
        results[result.identifier] = result
        progress(result)
    return [result for result in results.values() if result is not None]


def _in_processes(models: Sequence[Model], jobs: int) -> Iterator[ModelResult]:
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run_model, model) for model in models]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _on_ray(models: Sequence[Model], _jobs: int) -> Iterator[ModelResult]:
    for _, result in on_ray(run_model, models):
        yield result
