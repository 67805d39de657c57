"""Compile one Cell in each way that is asked for; a worker of run_tasks.

Called as `python -m porter.parity.compile_worker FOLDER TASK...`. The tasks: "build" imports the
module and makes the Cell; "STRICT/static", "LAX/dynamic" and so on compile and run it.
"""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mindspore as ms
from mindspore import nn

from porter.build import called, import_file, resolve
from porter.check.input_spec import InputSpec, read_inputs
from porter.parity.calls import set_mode
from porter.parity.spec_inputs import declare, make_arguments, make_value
from porter.parity.worker import RESTART, Journal
from porter.types import PorterError


class Compiler:
    """Build and compile what the job describes."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.target: str = job["target"]
        self.inputs = read_inputs(job["inputs"])
        self.arguments = read_inputs(job["arguments"])

    def new_cell(self) -> nn.Cell:
        """Return a new Cell; PRT704 where it cannot be made or is none."""
        place, _, name = self.target.rpartition(":")
        path = Path(place)
        factory = _from_file(path, name) if path.suffix == ".py" else resolve(self.target)
        positional = [make_value(spec) for spec in self.arguments.positional]
        named = {key: make_value(spec) for key, spec in self.arguments.named}
        cell = called(factory, self.target, positional, named)
        if not isinstance(cell, nn.Cell):
            raise PorterError("PRT704", f"{self.target} gives no Cell but {type(cell).__name__}")
        return cell.set_train(False)

    def build(self) -> dict[str, Any]:
        """Make the Cell once, so that an error in making it is told apart from one in compiling."""
        cell = self.new_cell()
        return {"parameters": sum(parameter.size for parameter in cell.get_parameters())}

    def compile(self, syntax: str, shapes: str) -> dict[str, Any]:
        """Compile and run the Cell; with dynamic shapes once more with larger ones."""
        set_mode("graph", syntax)
        cell = self.new_cell()
        calls: list[InputSpec] = [self.inputs]
        if shapes == "dynamic":
            declare(cell, self.inputs)
            calls.append(self.inputs.grown())
        seconds = []
        for call in calls:
            positional, named = make_arguments(call)
            started = time.perf_counter()
            cell(*positional, **named)
            ms.runtime.synchronize()
            seconds.append(round(time.perf_counter() - started, 3))
        graphs = len(cell.compile_cache)
        return {"first_seconds": seconds[0], "call_seconds": seconds[-1], "graphs": graphs}


def _from_file(path: Path, name: str) -> Any:
    """Return a class of a Python file; files beside it can be imported by it."""
    sys.path.insert(0, str(path.parent))
    module = import_file(path, path.stem)
    if not hasattr(module, name):
        raise PorterError("PRT704", f"{path} has no {name}")
    return getattr(module, name)


def main(arguments: Sequence[str]) -> int:
    """Carry out the tasks; after one that failed a fresh process takes the next."""
    ms.set_device("CPU")
    root = Path(arguments[0])
    job = json.loads((root / "job.json").read_text("utf-8"))
    sys.path.insert(0, job["folder"])
    compiler = Compiler(job)
    journal = Journal(root)
    for task in arguments[1:]:
        if task == "build":
            work = compiler.build
        else:
            work = functools.partial(compiler.compile, *task.split("/"))
        if not journal.run(task, work, "PRT606"):
            return RESTART
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
