"""Run the training side of a port: gradients, one optimizer step, and the random parts."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import mindspore as ms
import numpy as np
from mindspore.experimental import optim

from porter.build import attribute
from porter.parity.calls import read_tensor, set_mode
from porter.parity.calltree import CallRecorder, ModuleCall
from porter.parity.candidate import Candidate
from porter.parity.compare import same_leaves
from porter.parity.folder import errors_of
from porter.parity.graph_recording import GraphRecorder
from porter.parity.inputs import load_inputs, map_arrays, save_inputs
from porter.parity.losses import losses_of
from porter.parity.tasks import RunTask
from porter.parity.training import (
    REPEATS,
    STEP,
    kept_scale,
    kept_share,
    output_figures,
    pass_seed,
)
from porter.parity.tree import load_leaves
from porter.parity.wrapper import arguments_of
from porter.types import PorterError
from porter.weights.dtypes import Array


def gradient(candidate: Candidate, case_name: str) -> dict[str, Any]:
    """Write the gradients by all trainable parameters and floating inputs, in GRAPH_MODE.

    Where PyTorch has taken a step of AdamW, so does the port, and the parameters after it are
    written, too.
    """
    set_mode("graph", "STRICT")
    work, case = candidate.work, candidate.case(case_name)
    for path in (work.gradients(case_name), work.step(case_name)):
        for source in (path, errors_of(path)):
            if source.exists():
                candidate.convert(source, work.converted(source))
    cell = candidate.loaded_cell()
    # Before wrapping, which puts the wrapper's name in front of the parameters' names.
    trainable = {parameter.name: parameter for parameter in cell.trainable_params()}
    factors = load_inputs(work.cotangents(case_name))
    leaves = [leaf for leaf in candidate.expected_tensors(case) if leaf.name in factors]
    loss = candidate.wrap(cell, case, leaves, [factors[leaf.name] for leaf in leaves])
    arguments = arguments_of(load_inputs(work.inputs(case_name, 0)))
    wanted = load_inputs(work.input_gradients(case_name))
    positions = tuple(i for i, name in enumerate(arguments) if name in wanted)
    parameters = ms.ParameterTuple(list(trainable.values()))
    function = ms.value_and_grad(loss, positions or None, parameters or None)
    started = time.perf_counter()
    _, gradients = function(*[ms.Tensor(value) for value in arguments.values()])
    by_input, by_parameter = _split(gradients, bool(positions), bool(trainable))
    actual = {f"input {name}": _array(value) for name, value in zip(wanted, by_input, strict=True)}
    for name, value in zip(trainable, by_parameter, strict=True):
        actual[name] = _array(value)
    seconds = round(time.perf_counter() - started, 4)
    save_inputs(work.actual(f"backward/{case_name}", 0), actual)
    del actual
    stepping = work.converted(work.step(case_name)).exists() and bool(trainable)
    if stepping:
        # As a graph, the optimizer's loop over the parameters compiles for minutes.
        set_mode("pynative", "")
        optim.AdamW(list(trainable.values()), **STEP)(by_parameter)
        after = {name: parameter.asnumpy() for name, parameter in trainable.items()}
        save_inputs(work.actual(f"backward/{case_name}", 1), after)
    return {"first_seconds": seconds, "step": stepping}


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


def statistics(candidate: Candidate, case_name: str) -> dict[str, Any]:
    """Return the figures of the training mode in GRAPH_MODE, see `porter.parity.training`.

    Raises PorterError PRT614 where two passes with different seeds give the same outputs.
    """
    work = candidate.work
    inputs = load_inputs(work.inputs(case_name, 0))
    paths = json.loads(work.statistics(case_name).read_text())["dropout"]
    eager = candidate.call_of(RunTask(case_name, "pynative"))
    recorder = CallRecorder(read_tensor)
    recorder.watch(_cells(eager.cell.set_train(True), paths).items(), "construct")
    eager(inputs)
    syntax = candidate.recipe.verify.syntax[0]
    call = candidate.call_of(RunTask(case_name, "training", syntax, "static"))
    graph = GraphRecorder(call.network, recorder.calls, work.generated("dropout", case_name))
    kept: dict[str, list[tuple[int, int]]] = {}
    scales: dict[str, list[float]] = {}
    outputs = []
    for index in range(REPEATS):
        ms.set_seed(pass_seed(index))
        graph.clear()
        outputs.append(candidate.kept(call(inputs)))
        for record in graph.read():
            given, output = _single(record)
            kept.setdefault(record.path, []).append(kept_share(given, output))
            scales.setdefault(record.path, []).append(kept_scale(given, output))
    if same_leaves(outputs[0], outputs[1]):
        raise PorterError("PRT614", "two passes with different seeds give the same outputs")
    return {
        "dropout": {
            path: [*np.sum(counts, axis=0).tolist(), float(np.nanmedian(scales[path]))]
            for path, counts in kept.items()
        },
        "outputs": output_figures(outputs, load_leaves(work.expected(case_name, 0))),
    }


def losses(candidate: Candidate) -> dict[str, Any]:
    """Train the port by the function of the recipe; return the loss of each step.

    `construct` is compiled as a graph. The loop around it is Python: in GRAPH_MODE each turn makes
    another function to differentiate, and each would be compiled, as would the optimizer.
    """
    training = candidate.recipe.training
    if training is None:
        raise PorterError("PRT904", "the recipe has no training")
    set_mode("graph", candidate.recipe.verify.syntax[0])
    set_mode("pynative", "")
    function = attribute(candidate.port.module, training.function)
    cell = candidate.loaded_cell()
    cell.construct = ms.jit(cell.construct)
    inputs = map_arrays(load_inputs(candidate.work.training_inputs), ms.Tensor)
    ms.set_seed(pass_seed(0))
    return {"losses": losses_of(training, function(cell, **inputs))}


def _cells(network: Any, paths: Mapping[str, Any]) -> dict[str, Any]:
    cells = dict(network.cells_and_names())
    return {path: cells[path] for path in paths if path in cells}


def _single(record: ModuleCall) -> tuple[Array, Array]:
    """Return the first tensor that a dropout gets, and what it returns."""
    given = next(leaf for leaf in record.inputs.values() if leaf.array is not None)
    output = next(leaf for leaf in record.outputs.values() if leaf.array is not None)
    return np.asarray(given.array), np.asarray(output.array)
