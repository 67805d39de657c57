"""Run tasks in a process of their own, so that a crash or a hang is a result like any other."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from porter.types import PorterError, one_line

JOURNAL = "journal.jsonl"
RESTART = 75
"""Exit status of a worker that wants a fresh process for the tasks that remain."""
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task. `code` is empty where it went well; `data` holds its figures.

    `seconds` is how long it took, `peak_bytes` the largest resident memory of its process so far.
    """

    task: str
    code: str
    message: str
    data: dict[str, Any]
    detail: str = ""
    seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def ok(self) -> bool:
        """Tell whether the task went well."""
        return not self.code


def run_tasks(
    module: str,
    folder: Path,
    tasks: Sequence[str],
    *,
    time_limit: float,
    progress: Callable[[str], None],
    crash_code: str,
) -> dict[str, Outcome]:
    """Run `python -m module FOLDER TASK...` until each task has an outcome, and return these.

    Where the first task fails, the others are not carried out and have no outcome. The worker notes
    the beginning and the end of each task in a journal. Where it dies, or takes longer than
    `time_limit` seconds for a task, that task fails with `crash_code` and a new worker goes on with
    the next.
    """
    outcomes: dict[str, Outcome] = {}
    while remaining := [task for task in tasks if task not in outcomes]:
        if tasks[0] in outcomes and not outcomes[tasks[0]].ok:
            break
        journal = folder / JOURNAL
        journal.unlink(missing_ok=True)
        error_path = folder / "stderr.txt"
        with error_path.open("wb") as error_file:
            process = start(module, [str(folder), *remaining], folder, error_file)
            try:
                hung = _wait(process, journal, time_limit, progress)
            finally:
                end(process)
        finished, current = _read(journal)
        outcomes.update(finished)
        if current is None and finished:
            continue  # it asked for a fresh process, or died on its way from one task to the next
        why = (
            f"no answer within {time_limit:g} seconds"
            if hung
            else reason(process.returncode, error_path)
        )
        # A worker that dies before it begins a task dies in the same way the next time.
        for task in remaining if current is None else [current]:
            outcomes[task] = Outcome(task, crash_code, why, {})
    return outcomes


def start(
    module: str, arguments: Sequence[str], folder: Path, output: BinaryIO
) -> subprocess.Popen[bytes]:
    """Start `python -m module` in a session of its own; what it prints goes into `output`."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def environment(*folders: Path) -> dict[str, str]:
    """Return the environment of a worker, which can import porter and what lies in `folders`."""
    package_parent = Path(__file__).resolve().parents[2]
    inherited = os.environ.get("PYTHONPATH")
    parts = [str(package_parent), *([inherited] if inherited else []), *map(str, folders)]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(parts),
        "TRANSFORMERS_VERBOSITY": "error",
        "HF_HUB_OFFLINE": "1",
        "GLOG_v": "3",
    }


def _wait(
    process: subprocess.Popen[bytes],
    journal: Path,
    time_limit: float,
    progress: Callable[[str], None],
) -> bool:
    """Wait for the worker; return True where nothing was noted for `time_limit` seconds."""
    size, since = 0, time.monotonic()
    while process.poll() is None:
        time.sleep(_POLL_SECONDS)
        now = journal.stat().st_size if journal.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
            current = _read(journal)[1]
            if current:
                progress(current)
        if time.monotonic() - since > time_limit:
            return True
    return False


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker's session where it has not ended, and wait for it."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(journal: Path) -> tuple[dict[str, Outcome], str | None]:
    """Return the finished tasks and the one that was begun and not finished."""
    finished: dict[str, Outcome] = {}
    current: str | None = None
    if not journal.exists():
        return finished, current
    for line in journal.read_text().splitlines(keepends=True):
        if not line.endswith("\n"):  # the worker died, or is, in the middle of a line
            break
        event = json.loads(line)
        if event["event"] == "begin":
            current = event["task"]
        else:
            del event["event"]
            finished[event["task"]] = Outcome(**event)
            current = None
    return finished, current


def reason(status: int, error_path: Path) -> str:
    """Return why a worker ended: its status or signal, and the last line that it wrote."""
    lines = error_path.read_text(errors="replace").splitlines()
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"ended by {name}" + (f": {last}" if last else "")
    return f"ended with status {status}" + (f": {last}" if last else "")


class Journal:
    """The worker's side: run each task, note its beginning, its end and what went wrong.

    A worker whose parent is gone ends: nobody would read what it finds.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()

    def run(self, task: str, function: Callable[[], dict[str, Any]], code: str) -> bool:
        """Run a task; an exception is noted under its PorterError code, or under `code`.

        Return whether the task went well.
        """
        self._note({"event": "begin", "task": task})
        outcome: dict[str, Any] = {"code": "", "message": "", "data": {}, "detail": ""}
        started = time.monotonic()
        try:
            outcome["data"] = function()
        except PorterError as error:
            hint = f" ({error.hint})" if error.hint else ""
            outcome.update(code=error.code, message=error.message + hint)
        except Exception as error:  # noqa: BLE001 - the model is foreign code: whatever it raises is the outcome
            detail = traceback.format_exc()
            outcome.update(code=code, message=one_line(error), detail=detail)
        outcome.update(seconds=time.monotonic() - started, peak_bytes=_peak_bytes())
        self._note({"event": "end", "task": task, **outcome})
        return not outcome["code"]

    def _note(self, event: dict[str, Any]) -> None:
        with self.path.open("a") as stream:
            stream.write(json.dumps(event) + "\n")


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(RESTART)


def _peak_bytes() -> int:
    """Return the largest resident memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # kilobytes but on macOS
