"""Carry out the tasks of the MindSpore side, where torch cannot be imported.

Called as `python -m porter.parity.mindspore_worker FOLDER TASK...`. The tasks: "weights" converts
and loads; "run/..." (see `porter.parity.tasks`) writes outputs; "backward/CASE" writes gradients
and takes a training step; "random/CASE" takes statistics of the training mode; "losses" trains by
the source's function; "record/CASE/MODE" writes what every cell gets and returns; "export/CASE"
writes a MindIR file, loads it and runs it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # The port must run where torch is not installed; None makes every import of it fail.
    sys.modules["torch"] = None  # type: ignore[assignment]

import mindspore as ms

from porter.parity import candidate_training
from porter.parity.candidate import Candidate
from porter.parity.folder import Job, WorkFolder
from porter.parity.losses import CANDIDATE_TASK
from porter.parity.worker import RESTART, Journal


def main(arguments: list[str]) -> int:
    """Carry out the tasks named on the command line in the work folder named first.

    Stop after a task that failed, with the status that asks for a fresh process: a compilation that
    failed can leave MindSpore in a state that makes later ones fail or pass wrongly.
    """
    ms.set_device("CPU")  # refused once anything has run
    work = WorkFolder(Path(arguments[0]))
    candidate = Candidate(work, Job.load(work.root))
    journal = Journal(work.root)
    for task in arguments[1:]:
        function, code = _function(candidate, task)
        if not journal.run(task, function, code):
            return RESTART
    return 0


def _function(candidate: Candidate, task: str) -> tuple[Callable[[], dict[str, Any]], str]:
    """Return what carries out a task, and the code of a failure."""
    kind, *rest = task.split("/")
    if kind == "weights":
        return candidate.weights, "PRT606"
    if kind == "run":
        return functools.partial(candidate.run, task), "PRT606"
    if kind == "export":
        return functools.partial(candidate.export, task), "PRT611"
    if kind == "record":
        return functools.partial(candidate.record, *rest), "PRT613"
    if kind == "random":
        return functools.partial(candidate_training.statistics, candidate, *rest), "PRT614"
    if kind == CANDIDATE_TASK:
        return functools.partial(candidate_training.losses, candidate), "PRT616"
    return functools.partial(candidate_training.gradient, candidate, *rest), "PRT610"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
