"""Compile the examples of the pages, and note what became of each; a worker of run_tasks.

Called as `python -m tests.check.example_worker FOLDER TASK...`. A task is the name of a folder
below FOLDER that holds `bad.py`, or `good.py`, or both, and `job.json`.
"""

from __future__ import annotations

import functools
import gc
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np

from porter.check.input_spec import read_inputs
from porter.parity.calls import set_mode
from porter.parity.spec_inputs import declare, make_arguments
from porter.parity.worker import Journal
from porter.types import one_line

INPUTS = re.compile(r"^# inputs: (.+)$", re.MULTILINE)
TOLERANCE = 1e-5


class Example:
    """One file that defines `Net`; the calls of a text like `# inputs: float32[2, 3]`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text("utf-8")
        self.calls = [read_inputs(line) for line in INPUTS.findall(text)]
        self.calls = self.calls or [read_inputs("float32[2, 3]")]
        self.training = "# training" in text
        self.count = 0

    def new_cell(self) -> Any:
        """Import the file anew, so that nothing is left of an earlier run, and build its Net."""
        self.count += 1
        name = f"{self.path.parent.name}_{self.path.stem}_{id(self)}_{self.count}"
        spec = importlib.util.spec_from_file_location(name, self.path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        ms.set_seed(0)
        np.random.seed(0)
        spec.loader.exec_module(module)
        return module.Net().set_train(self.training)

    def run(self, mode: str, syntax: str = "", shapes: str = "static") -> dict[str, Any]:
        """Return the outputs of all calls and how often the Cell was compiled, or the error."""
        try:
            set_mode(mode, syntax)
            cell = self.new_cell()
            if shapes == "dynamic":
                declare(cell, self.calls[0])
            outputs = []
            for call in self.calls:
                positional, named = make_arguments(call)
                outputs.append(plain(cell(*positional, **named)))
                ms.runtime.synchronize()
        except Exception as error:  # noqa: BLE001 - whatever the compiler raises is the result
            return {"error": f"{type(error).__name__}: {one_line(error)}"}
        return {"outputs": outputs, "compilations": len(cell.compile_cache)}


def plain(value: Any) -> Any:
    """Return a result as arrays, Python values and containers of these."""
    if isinstance(value, ms.Tensor):
        return value.asnumpy()
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return tuple(plain(item) for item in value)
    return value


def same(left: Any, right: Any) -> bool:
    """Tell whether two results have one structure, the same dtypes and the same values."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return (
            left.dtype == right.dtype
            and left.shape == right.shape
            and bool(np.allclose(left, right, TOLERANCE, TOLERANCE, equal_nan=True))
        )
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


def verdict(result: dict[str, Any], yardstick: dict[str, Any]) -> dict[str, Any]:
    """Return a run as plain data: the error, or whether it gives the yardstick's values."""
    if "error" in result:
        return {"error": result["error"]}
    agrees = "outputs" in yardstick and same(tuple(result["outputs"]), tuple(yardstick["outputs"]))
    return {"same": agrees, "compilations": result["compilations"], "shown": shown(result)}


def shown(result: dict[str, Any]) -> str:
    return " ".join(repr(result["outputs"]).split())[:200]


def run_job(folder: Path) -> dict[str, Any]:
    """Run the examples of one folder as its job asks; each is judged by its own PYNATIVE_MODE.

    The report so far is kept in a file: a run that ends the process is an error of that run alone.
    """
    job = json.loads((folder / "job.json").read_text("utf-8"))
    report: dict[str, Any] = {}
    pynative: dict[str, dict[str, Any]] = {}
    for stem in job:
        example = Example(folder / f"{stem}.py")
        pynative[stem] = example.run("pynative")
        report[stem] = {"pynative": verdict(pynative[stem], pynative[stem])}
    if all("outputs" in pynative.get(stem, {}) for stem in ("good", "bad")):
        outputs = [tuple(pynative[stem]["outputs"]) for stem in ("good", "bad")]
        report["agree"] = same(*outputs)
    for stem, modes in job.items():
        example = Example(folder / f"{stem}.py")
        for mode in modes:
            report[stem][mode] = {"error": "the process ended"}
            (folder / "report.json").write_text(json.dumps(report), "utf-8")
            syntax, shapes = mode.split("/")
            report[stem][mode] = verdict(example.run("graph", syntax, shapes), pynative[stem])
    return report


def main(arguments: Sequence[str], run: Callable[[Path], dict[str, Any]] = run_job) -> int:
    """Carry out the tasks that the command line names, each by `run` in its folder."""
    ms.set_device("CPU")
    gc.collect()
    gc.freeze()
    root = Path(arguments[0])
    journal = Journal(root)
    for task in arguments[1:]:
        job = dict if task == "start" else functools.partial(run, root / task)
        journal.run(task, job, "PRT606")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
