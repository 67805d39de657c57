"""Carry out the tasks of the PyTorch side; this imports, and so executes, the source being ported.

Called as `python -m porter.parity.torch_worker FOLDER TASK...`. The tasks: "build" writes the
weights; "case/NAME/VARIANT" writes outputs in float32 and, as a yardstick, in float64;
"half/NAME/DTYPE" does so in a half precision; "gradient/NAME", "training/NAME" and "train" are
those of `porter.parity.reference_training`; "record/NAME" writes what every module gets and
returns.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from porter.parity import reference_training
from porter.parity.folder import Job, WorkFolder
from porter.parity.reference import Reference
from porter.parity.worker import Journal


def main(arguments: list[str]) -> int:
    """Carry out the tasks named on the command line in the work folder named first."""
    work = WorkFolder(Path(arguments[0]))
    reference = Reference(work, Job.load(work.root).recipe)
    journal = Journal(work.root)
    functions: dict[str, Callable[..., dict[str, Any]]] = {
        "build": reference.build,
        "case": lambda case, variant: reference.case(case, int(variant)),
        "half": reference.half,
        "record": reference.record,
        "gradient": functools.partial(reference_training.gradient, reference),
        "training": functools.partial(reference_training.training, reference),
        "train": functools.partial(reference_training.losses, reference),
    }
    for task in arguments[1:]:
        kind, *rest = task.split("/")
        well = journal.run(task, functools.partial(functions[kind], *rest), "PRT609")
        if kind == "build" and not well:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
