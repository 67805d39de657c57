"""Carry out the writing of files: in threads of this process, or on a Ray cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from porter.cluster import on_ray
from porter.types import PorterError
from porter.weights.produce import Budget, Producer, largest
from porter.weights.settings import Settings
from porter.weights.shards import (
    Advance,
    Shard,
    Written,
    checksum,
    verify_shard,
    write_shard,
)
from porter.weights.target import Target
from porter.weights.tensor import Checkpoint

Opener = Callable[[], Checkpoint]
WORKERS = 4


@dataclass(frozen=True)
class Task:
    """One file to write: all that a process elsewhere needs to know of it."""

    opener: Opener
    path: Path
    shard: Shard
    verify: bool


def write_shards(
    target: Target,
    shards: Sequence[Shard],
    checkpoint: Checkpoint,
    opener: Opener,
    settings: Settings,
    advance: Advance,
) -> list[Written]:
    """Write and verify the files that `target` lacks; return all of them, in their order.

    Raises OSError, and PorterError: PRT507 for the source, PRT509 where a file reads back
    differently, PRT703 for an engine that is not installed.
    """
    found = {shard.file: target.finished(shard.file) for shard in shards}
    waiting = [shard for shard in shards if found[shard.file] is None]
    for shard in shards:
        if found[shard.file] is not None:
            advance(shard.size * (2 if settings.verify else 1))
    tasks = [Task(opener, target.path(item.file), item, settings.verify) for item in waiting]
    run = _on_ray if settings.engine == "ray" else _in_threads
    for written in run(tasks, checkpoint, settings, advance):
        target.note(written)
        found[written.file] = written
    return [item for item in found.values() if item is not None]


def carry_out(task: Task, producer: Producer, advance: Advance) -> Written:
    """Write one file and compare it; what is not whole is removed."""
    try:
        written = write_shard(task.path, task.shard, producer, advance)
        if task.verify:
            with ThreadPoolExecutor(1) as pool:
                digest = pool.submit(checksum, task.path)
                verify_shard(task.path, task.shard, producer, advance)
                written = replace(written, sha256=digest.result(), verified=True)
    except BaseException:
        task.path.unlink(missing_ok=True)
        raise
    return written


def _in_threads(
    tasks: Sequence[Task], checkpoint: Checkpoint, settings: Settings, advance: Advance
) -> Iterator[Written]:
    # More than there are cores: a file that waits for the disk leaves its core to another one.
    workers = settings.workers or min(WORKERS, 2 * (os.cpu_count() or 1))
    # Whole tensors in all threads together take no more than the largest of them, twice.
    budget = Budget(2 * max((largest(task.shard.tensors) for task in tasks), default=0))

    stopped = threading.Event()

    def advance_or_stop(done: int) -> None:
        if stopped.is_set():
            raise InterruptedError("another file failed")
        advance(done)

    def work(task: Task) -> Written:
        return carry_out(task, Producer(checkpoint, budget), advance_or_stop)

    if min(workers, len(tasks)) <= 1:
        yield from map(work, tasks)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            with closing(_completed([pool.submit(work, task) for task in tasks])) as finished:
                yield from finished
        except BaseException:
            stopped.set()
            raise


def _completed(futures: Iterable[Future[Written]]) -> Generator[Written, None, None]:
    """Yield results as they come; after the first error, what has not begun never does."""
    waiting = set(futures)
    try:
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def _on_ray(
    tasks: Sequence[Task], _checkpoint: Checkpoint, _settings: Settings, advance: Advance
) -> Iterator[Written]:
    for task, result in on_ray(_ray_task, tasks):
        written = _written(result)
        advance(task.shard.size * (2 if task.verify else 1))
        yield written


def _ray_task(task: Task) -> Written | dict[str, Any]:
    """Write one file in a worker; an error of porter's comes back as data, since Ray wraps it."""
    budget = Budget(2 * largest(task.shard.tensors))
    try:
        return carry_out(task, Producer(task.opener(), budget), lambda _done: None)
    except PorterError as error:
        return {"code": error.code, "message": error.message, "position": error.position}
    except OSError as error:
        return {"errno": error.errno, "message": error.strerror or str(error)}


def _written(result: Written | dict[str, Any]) -> Written:
    if isinstance(result, Written):
        return result
    if "code" in result:
        raise PorterError(result["code"], result["message"], position=result["position"])
    raise OSError(result["errno"], result["message"])
