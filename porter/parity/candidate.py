"""Run the MindSpore side of a recipe: load the converted weights and run the port in each mode.

Called as `python -m porter.parity.candidate FOLDER TASK...`. The tasks: "weights" converts and
loads; "run/CASE/MODE/SYNTAX/SHAPES" writes outputs; "backward/CASE" compares gradients;
"export/CASE" writes a MindIR file, loads it and runs it.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # The port must run where torch is not installed; None makes every import of it fail.
    sys.modules["torch"] = None  # type: ignore[assignment]

import mindspore as ms
import numpy as np
import safetensors.numpy
from mindspore import nn

from porter.mapping.load import load_mappings
from porter.parity.calls import DirectCall, WrappedCall, name_results, read_tensor, set_mode
from porter.parity.compare import compare_gradients, same_leaves
from porter.parity.folder import Job, WorkFolder
from porter.parity.inputs import load_inputs
from porter.parity.port_module import PortModule
from porter.parity.tree import Leaf, ignored, load_leaves, save_leaves
from porter.parity.worker import RESTART, Journal
from porter.parity.wrapper import arguments_of, write_wrapper
from porter.recipe import Case
from porter.types import PorterError
from porter.weights.convert import convert_weights
from porter.weights.dtypes import Array


class Candidate:
    """Carry out the tasks of the MindSpore side."""

    def __init__(self, work: WorkFolder, job: Job) -> None:
        if job.port is None:
            raise PorterError("PRT904", "the job names no port")
        self.work = work
        self.job = job
        self.recipe = job.recipe
        self.port = PortModule(job.port, job.recipe)

    def loaded_cell(self) -> nn.Cell:
        """Return the port's Cell with the converted weights; PRT501, PRT502 where names differ."""
        cell = self.port.new_cell()
        weights = ms.load_checkpoint(str(self.job.weights), format="safetensors")
        unfilled, unused = ms.load_param_into_net(cell, weights, strict_load=True)
        if unfilled:
            raise PorterError("PRT502", f"no weights for {_some(unfilled)}")
        if unused:
            raise PorterError("PRT501", f"no parameter for the weights {_some(unused)}")
        return cell

    def convert(self, source: Path, target: Path) -> None:
        """Write tensors that have PyTorch's names under the names of the port."""
        target.parent.mkdir(parents=True, exist_ok=True)
        mapping = load_mappings(self.job.mappings)
        convert_weights(source, target, cell=self.port.new_cell(), mapping=mapping)

    def weights(self) -> dict[str, Any]:
        """Convert the weights where that is asked for, and load them once."""
        if self.job.convert:
            self.convert(self.work.state, self.job.weights)
        count = sum(int(np.prod(item.shape)) for item in self.loaded_cell().get_parameters())
        return {"parameters": count, "mindspore": ms.__version__}

    def case(self, name: str) -> Case:
        """Return the recipe's case of that name."""
        return next(case for case in self.recipe.cases if case.name == name)

    def wrap(self, cell: nn.Cell, case: Case, leaves: Sequence[Leaf], factors: Any = None) -> Any:
        """Return a generated Cell around `cell` that returns the tensors, or a loss of them."""
        wrapper = write_wrapper(
            self.work.root / "candidate" / "wrappers" / f"{case.name}_{factors is not None}.py",
            load_inputs(self.work.inputs(case.name, 0)),
            case.positional,
            self.recipe.verify.method,
            leaves,
            loss=factors is not None,
        )
        return wrapper(cell, factors or ()).set_train(False)

    def expected_tensors(self, case: Case) -> list[Leaf]:
        """Return the tensors that PyTorch returned for the case."""
        leaves = load_leaves(self.work.expected(case.name, 0))
        return [leaf for leaf in leaves.values() if leaf.kind == "tensor"]

    def run(self, task: str) -> dict[str, Any]:
        """Run a case in one mode, in all its shapes, and the first shape once more.

        Raises PorterError PRT603 where the second call with the same inputs gives other values: a
        port must not change its own state.
        """
        _, case_name, mode, syntax, shapes = task.split("/")
        set_mode(mode, syntax)
        case, method, cell = self.case(case_name), self.recipe.verify.method, self.loaded_cell()
        call: DirectCall | WrappedCall = DirectCall(cell, method, case.positional)
        if mode == "graph" and method != "__call__":
            # Only construct is compiled: another method is reached through a Cell of its own.
            leaves = self.expected_tensors(case)
            call = WrappedCall(self.wrap(cell, case, leaves), leaves)
        variants = [
            index
            for index in range(len(case.variants))
            if self.work.expected(case_name, index).exists()
        ]
        if shapes == "dynamic":
            call.make_dynamic(load_inputs(self.work.inputs(case_name, 0)), case.dynamic)
        elif mode == "graph":
            variants = variants[:1]
        seconds: list[float] = []
        first: dict[str, Leaf] = {}
        for variant in [*variants, variants[0]]:
            inputs = load_inputs(self.work.inputs(case_name, variant))
            started = time.perf_counter()
            leaves_now = self.kept(call(inputs))
            seconds.append(round(time.perf_counter() - started, 4))
            if len(seconds) <= len(variants):
                save_leaves(self.work.actual(task, variant), leaves_now)
                first = first or leaves_now
            elif not same_leaves(first, leaves_now):
                raise PorterError("PRT603", "a second call with the same inputs differs")
        return {
            "first_seconds": seconds[0],
            "call_seconds": seconds[-1],
            "compilations": len(call.cell.compile_cache) if mode == "graph" else 0,
            "variants": variants,
        }

    def kept(self, leaves: dict[str, Leaf]) -> dict[str, Leaf]:
        """Return the leaves that the recipe does not ignore."""
        names = self.recipe.verify.ignore_outputs
        return {name: leaf for name, leaf in leaves.items() if not ignored(name, names)}

    def gradient(self, case_name: str) -> dict[str, Any]:
        """Compare the gradients by all trainable parameters and floating inputs, in GRAPH_MODE."""
        set_mode("graph", "STRICT")
        case = self.case(case_name)
        target = self.work.converted_gradients(case_name)
        self.convert(self.work.gradients(case_name), target)
        expected = safetensors.numpy.load_file(target)
        cell = self.loaded_cell()
        # Before wrapping, which puts the wrapper's name in front of the parameters' names.
        trainable = {parameter.name: parameter for parameter in cell.trainable_params()}
        factors = load_inputs(self.work.cotangents(case_name))
        leaves = [leaf for leaf in self.expected_tensors(case) if leaf.name in factors]
        loss = self.wrap(cell, case, leaves, [factors[leaf.name] for leaf in leaves])
        arguments = arguments_of(load_inputs(self.work.inputs(case_name, 0)))
        wanted = load_inputs(self.work.input_gradients(case_name))
        positions = tuple(i for i, name in enumerate(arguments) if name in wanted)
        parameters = ms.ParameterTuple(list(trainable.values()))
        function = ms.value_and_grad(loss, positions or None, parameters or None)
        started = time.perf_counter()
        _, gradients = function(*[ms.Tensor(value) for value in arguments.values()])
        by_input, by_parameter = _split(gradients, bool(positions), bool(trainable))
        actual = {
            f"input {name}": _array(gradient)
            for name, gradient in zip(wanted, by_input, strict=True)
        }
        for name, gradient in zip(trainable, by_parameter, strict=True):
            actual[name] = _array(gradient)
        expected.update({f"input {name}": value for name, value in wanted.items()})
        rows = compare_gradients(expected, actual, self.recipe.verify.gradient_tolerance)
        seconds = round(time.perf_counter() - started, 4)
        return {"first_seconds": seconds, "rows": [asdict(row) for row in rows]}

    def export(self, task: str) -> dict[str, Any]:
        """Write a MindIR file, load it, run it and keep its outputs."""
        set_mode("graph", "STRICT")
        case = self.case(task.split("/")[1])
        leaves = self.expected_tensors(case)
        wrapper = self.wrap(self.loaded_cell(), case, leaves)
        inputs = arguments_of(load_inputs(self.work.inputs(case.name, 0)))
        tensors = [ms.Tensor(value) for value in inputs.values()]
        path = self.work.actual(task, 0).with_suffix(".mindir")
        path.parent.mkdir(parents=True, exist_ok=True)
        started = time.perf_counter()
        ms.export(wrapper, *tensors, file_name=str(path), file_format="MINDIR")
        loaded = nn.GraphCell(ms.load(str(path)))
        save_leaves(self.work.actual(task, 0), name_results(loaded(*tensors), leaves))
        size = path.stat().st_size
        return {"first_seconds": round(time.perf_counter() - started, 4), "bytes": size}


def _split(gradients: Any, inputs: bool, parameters: bool) -> tuple[Any, Any]:
    """Return the gradients by inputs and by parameters of `mindspore.value_and_grad`."""
    if not (inputs and parameters):
        gradients = (gradients, ()) if inputs else ((), gradients)
    # One gradient comes back bare, whatever the form of the positions was.
    by_input, by_parameter = (
        part if isinstance(part, tuple | list) else (part,) for part in gradients
    )
    return by_input, by_parameter


def _array(gradient: Any) -> Array:
    tensor = read_tensor(gradient)
    if tensor is None:
        raise PorterError("PRT610", f"a gradient is {gradient!r}, not a tensor")
    return tensor[0]


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(sorted(names)[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"


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
        kind, _, case = task.partition("/")
        if kind == "weights":
            function, code = candidate.weights, "PRT606"
        elif kind == "backward":
            function, code = functools.partial(candidate.gradient, case), "PRT610"
        elif kind == "export":
            function, code = functools.partial(candidate.export, task), "PRT611"
        else:
            function, code = functools.partial(candidate.run, task), "PRT606"
        if not journal.run(task, function, code):
            return RESTART
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
