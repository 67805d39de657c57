"""Build the port of a recipe with the converted weights, and run it in each mode."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn

from porter.mapping.load import load_mappings
from porter.parity.calls import DirectCall, WrappedCall, name_results, read_tensor, set_mode
from porter.parity.calltree import CallRecorder, load_calls, save_calls
from porter.parity.compare import same_leaves
from porter.parity.folder import Job, WorkFolder
from porter.parity.graph_recording import GraphRecorder
from porter.parity.inputs import load_inputs
from porter.parity.port_module import PortModule
from porter.parity.tasks import RunTask
from porter.parity.tree import Leaf, ignored, load_leaves, save_leaves
from porter.parity.wrapper import arguments_of, write_wrapper
from porter.recipe import Case
from porter.types import PorterError
from porter.weights.convert import convert_weights


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
            self.work.generated("loss" if factors else "outputs", case.name),
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

    def call_of(self, task: RunTask) -> DirectCall | WrappedCall:
        """Choose the mode of a task; return its call of the port, with the weights loaded."""
        set_mode("pynative" if task.mode == "pynative" else "graph", task.syntax)
        case, method, cell = self.case(task.case), self.recipe.verify.method, self.loaded_cell()
        if task.dtype != "float32":
            for parameter in cell.get_parameters():
                if parameter.dtype == ms.float32:
                    parameter.set_dtype(getattr(ms, task.dtype))
        if task.mode != "pynative" and method != "__call__":
            # Only construct is compiled: another method is reached through a Cell of its own.
            leaves = self.expected_tensors(case)
            cell = self.wrap(cell, case, leaves).set_train(task.mode == "training")
            return WrappedCall(cell, leaves, task.dtype)
        return DirectCall(
            cell.set_train(task.mode == "training"), method, case.positional, task.dtype
        )

    def run(self, text: str) -> dict[str, Any]:
        """Run a case in one mode, in all its shapes, and the first shape once more.

        Raises PorterError PRT603 where the second call with the same inputs gives other values: a
        port must not change its own state.
        """
        task = RunTask.parse(text)
        case, call = self.case(task.case), self.call_of(task)
        variants = [
            index
            for index in range(len(case.variants))
            if self.work.expected(task.case, index, task.expected).exists()
        ]
        if task.shapes == "dynamic":
            call.make_dynamic(load_inputs(self.work.inputs(task.case, 0)), case.dynamic)
        elif task.shapes == "static":
            variants = variants[:1]
        seconds: list[float] = []
        first: dict[str, Leaf] = {}
        for variant in [*variants, variants[0]]:
            inputs = load_inputs(self.work.inputs(task.case, variant))
            started = time.perf_counter()
            leaves_now = self.kept(call(inputs))
            seconds.append(round(time.perf_counter() - started, 4))
            if len(seconds) <= len(variants):
                save_leaves(self.work.actual(text, variant), leaves_now)
                first = first or leaves_now
            elif not same_leaves(first, leaves_now):
                raise PorterError("PRT603", "a second call with the same inputs differs")
        return {
            "first_seconds": seconds[0],
            "call_seconds": seconds[-1],
            "compilations": len(call.cell.compile_cache) if task.mode == "graph" else 0,
            "variants": variants,
        }

    def kept(self, leaves: dict[str, Leaf]) -> dict[str, Leaf]:
        """Return the leaves that the recipe does not ignore."""
        names = self.recipe.verify.ignore_outputs
        return {name: leaf for name, leaf in leaves.items() if not ignored(name, names)}

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

    def record(self, case_name: str, mode: str) -> dict[str, Any]:
        """Write what every cell gets and returns, for the modules that PyTorch has, too.

        The record in GRAPH_MODE needs that in PYNATIVE_MODE, which says what there is to record.
        """
        inputs = load_inputs(self.work.inputs(case_name, 0))
        syntax = self.recipe.verify.syntax[0]
        call = self.call_of(RunTask(case_name, mode, syntax, "static"))
        path = self.work.record(mode, case_name)
        if mode == "pynative":
            recorder = CallRecorder(read_tensor)
            known = {item.path for item in load_calls(self.work.record("torch", case_name))}
            cells = [(name, item) for name, item in call.cell.cells_and_names() if name in known]
            recorder.watch(cells, "construct")
            call(inputs)
            save_calls(path, recorder.calls)
            return {"calls": len(recorder.calls)}
        calls = load_calls(self.work.record("pynative", case_name))
        graph = GraphRecorder(call.network, calls, self.work.generated("record", case_name))
        output = call(inputs)
        graph_calls = [*graph.read()[:-1], replace(calls[-1], outputs=output)]
        save_calls(path, graph_calls)
        return {"calls": len(graph_calls)}


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(sorted(names)[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
