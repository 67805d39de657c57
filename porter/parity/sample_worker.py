"""Run samples of the mapping tables in PyTorch and, ported, in MindSpore, and compare.

Called as `python -m porter.parity.sample_worker FOLDER import TASK...` where FOLDER holds
`source.py`, the package `port` that porter made of it, and `job.json`. A task is `MODE/NAME#INDEX`
with a mode of
`porter.mapping.verify.MODES`.
"""

from __future__ import annotations

import functools
import gc
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import safetensors.torch
import torch
from mindspore import nn

from porter.mapping.load import Mapping, load_mappings
from porter.mapping.schema import Sample
from porter.parity.calls import name_results, set_mode, symbolic
from porter.parity.calls import read_tensor as read_mindspore
from porter.parity.cells import spellings
from porter.parity.compare_gradients import compare_gradients
from porter.parity.port_module import import_port
from porter.parity.reference import read_tensor
from porter.parity.sample_arrays import inputs_of
from porter.parity.sample_compare import compare_leaves, compare_statistics
from porter.parity.samples import Case, find_case, with_samples
from porter.parity.tree import Leaf, flatten
from porter.parity.worker import RESTART, Journal
from porter.parity.wrapper import write_wrapper
from porter.types import PorterError
from porter.weights.convert import convert_weights
from porter.weights.dtypes import Array

GRADIENT_TOLERANCE = 1e-4
"""How far a gradient may lie apart, as a part of the largest one: sums run in another order."""


class SampleRunner:
    """Carry out the tasks of one folder."""

    def __init__(self, folder: Path) -> None:
        job = json.loads((folder / "job.json").read_text())
        self.folder = folder
        mapping = load_mappings(Path(job["mappings"]) if job["mappings"] else None)
        samples = {
            name: [Sample(call, init) for call, init in given]
            for name, given in job["samples"].items()
        }
        self.mapping: Mapping = with_samples(mapping, samples)
        self.restart: bool = job["restart"]
        self.source: Any = None
        self.port: Any = None
        self.spoiled = False

    def load(self) -> dict[str, Any]:
        """Import the generated source and its port."""
        sys.path.insert(0, str(self.folder))
        import source  # type: ignore[import-not-found]

        self.source = source
        self.port = import_port(self.folder / "port")
        # MindSpore collects garbage at each compilation; frozen imports make that 3 times faster.
        gc.collect()
        gc.freeze()
        return {"torch": torch.__version__, "mindspore": ms.__version__}

    def run(self, task: str) -> dict[str, Any]:
        """Run one sample in one mode.

        Raises PorterError: PRT601, PRT602, PRT603, PRT610, PRT612 where it differs, PRT609 where
        PyTorch itself cannot run it.
        """
        try:
            return self._run(task)
        except PorterError:
            raise
        except Exception:
            self.spoiled = True
            raise

    def _run(self, task: str) -> dict[str, Any]:
        mode, _, name = task.partition("/")
        case = find_case(self.mapping, name)
        _, _, spelling = name.partition(":")
        if spelling:
            case = next(item for item in spellings(case) if item.spelling == spelling)
        trial = Trial(self, case)
        set_mode("pynative" if mode == "pynative" else "graph", "STRICT")
        if mode == "gradient":
            return trial.gradient()
        outputs = trial.compare(mode, training=False)
        if case.entry.compare == "statistics" and case.init is not None:
            # Evaluation hides what a module does at random, training hides that it may not then.
            outputs += trial.compare(mode, training=True)
        return {"outputs": outputs}


class Trial:
    """One sample on both sides, with the same inputs and weights."""

    def __init__(self, runner: SampleRunner, case: Case) -> None:
        self.runner = runner
        self.case = case
        self.inputs = inputs_of(case, case.call)
        self.settings = {} if case.init is None else inputs_of(case, case.init)

    def reference(self, training: bool) -> torch.nn.Module:
        """Return the PyTorch module with seeded weights."""
        torch.manual_seed(self.case.seed % 2**32)
        tensors = [torch.from_numpy(value.copy()) for value in self.settings.values()]
        module = getattr(self.runner.source, self.case.class_name)(*tensors)
        module.train(training)
        with torch.no_grad():
            for name, value in module.state_dict(keep_vars=True).items():
                if isinstance(value, torch.nn.Parameter) or name.endswith("running_mean"):
                    value.add_(0.5 * torch.randn(value.shape))
                elif name.endswith("running_var"):
                    value.add_(torch.rand(value.shape))
        return module  # type: ignore[no-any-return]

    def cell(self, module: torch.nn.Module, training: bool) -> nn.Cell:
        """Return the port's Cell with the weights of `module`."""
        ms.set_seed(self.case.seed % 2**31)
        tensors = [ms.Tensor(value) for value in self.settings.values()]
        cell = getattr(self.runner.port, self.case.class_name)(*tensors)
        # At once: a graph that was compiled before set_train keeps the mode it was compiled with.
        cell.set_train(training)
        state = module.state_dict()
        if list(cell.get_parameters()):
            ms.load_param_into_net(cell, self.converted(cell, state), strict_load=True)
        return cell

    def converted(self, cell: nn.Cell, state: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Return a state dict under the names and in the layout of the Cell."""
        with tempfile.TemporaryDirectory() as folder:
            given, target = Path(folder, "given.safetensors"), Path(folder, "cell.safetensors")
            tensors = {name: value.detach().clone().contiguous() for name, value in state.items()}
            safetensors.torch.save_file(tensors, given)
            convert_weights(given, target, cell=cell, mapping=self.runner.mapping)
            return dict(ms.load_checkpoint(str(target), format="safetensors"))

    def compare(self, mode: str, training: bool) -> int:
        """Run both sides and compare; return how many outputs were compared."""
        module = self.reference(training)
        expected = self.expected(module)
        cell = self.cell(module, training)
        if mode == "graph-dynamic":
            cell.set_inputs(*[symbolic(v, range(v.ndim)) for v in self.inputs.values()])
        inputs = [ms.Tensor(value) for value in self.inputs.values()]
        if any(leaf.kind == "none" for leaf in expected.values()):
            # A None in the outermost result of a graph is dropped, or garbage.
            expected = {n: leaf for n, leaf in expected.items() if leaf.kind != "none"}
            wrapper = self.wrapper(list(expected.values()), loss=False)
            output = wrapper(cell).set_train(training)(*inputs)
            actual = name_results(output, list(expected.values()))
        else:
            actual = flatten(_plain(cell(*inputs)), read_mindspore)
        how = self.case.entry.compare
        if how == "statistics" and (training or self.case.init is None):
            return compare_statistics(expected, actual)
        return compare_leaves(expected, actual, self.case.entry)

    def wrapper(self, leaves: list[Leaf], *, loss: bool) -> Any:
        """Return a Cell class that gives the tensors of a Cell's output, or one loss of them."""
        path = self.runner.folder / "wrappers" / f"{self.case.class_name}_{loss}.py"
        names = list(self.inputs)
        return write_wrapper(path, self.inputs, names, "__call__", leaves, loss=loss)

    def expected(self, module: torch.nn.Module) -> dict[str, Leaf]:
        """Return what PyTorch gives; PRT609 where it gives nothing."""
        tensors = [torch.from_numpy(value.copy()) for value in self.inputs.values()]
        try:
            return flatten(_plain(module(*tensors)), read_torch)
        except Exception as error:
            raise PorterError("PRT609", f"{type(error).__name__}: {error}") from error

    def gradient(self) -> dict[str, Any]:
        """Compare the gradients of the sum of all outputs, each times fixed factors.

        They are taken by every floating input and every parameter. Nothing is compared where
        PyTorch has no gradient.
        """
        module = self.reference(training=False)
        reference = ReferenceGradient(module, self.inputs, self.case.seed)
        if reference.skipped:
            return {"skipped": reference.skipped}
        cell = self.cell(module, training=False)
        expected = dict(reference.by_input)
        trainable = {}
        if reference.state:
            trainable = {item.name: item for item in cell.trainable_params()}
            converted = self.converted(cell, reference.state)
            expected.update({name: converted[name].asnumpy() for name in trainable})
        loss = self.wrapper(reference.leaves, loss=True)(cell, reference.factors).set_train(False)
        positions = tuple(i for i, name in enumerate(self.inputs) if name in reference.by_input)
        function = ms.value_and_grad(loss, positions or None, list(trainable.values()) or None)
        _, found = function(*[ms.Tensor(value) for value in self.inputs.values()])
        actual: dict[str, Array] = {}
        for (name, wanted), gradient in zip(expected.items(), _flat(found), strict=True):
            # Where PyTorch has no gradient, as of log at 0, nothing is asked of the port.
            actual[name] = np.where(np.isnan(wanted), 0, gradient.asnumpy())
            expected[name] = np.nan_to_num(wanted, posinf=np.inf, neginf=-np.inf)
        rows = compare_gradients(expected, actual, tolerance=GRADIENT_TOLERANCE)
        for row in rows:
            if row.code:
                raise PorterError(row.code, f"the gradient by {row.name}: {row.message}")
        return {"outputs": len(rows)}


class ReferenceGradient:
    """The gradients that PyTorch computes, by input and, as a state dict, by parameter.

    `leaves` are the outputs that were summed, `factors` what each was multiplied with. `skipped`
    says why there is no gradient.
    """

    def __init__(self, module: torch.nn.Module, inputs: dict[str, Array], seed: int) -> None:
        self.skipped = ""
        self.leaves: list[Leaf] = []
        self.factors: list[Array] = []
        self.by_input: dict[str, Array] = {}
        self.state: dict[str, torch.Tensor] = {}
        tensors = {name: torch.from_numpy(value.copy()) for name, value in inputs.items()}
        wanted = {name: item for name, item in tensors.items() if item.is_floating_point()}
        for tensor in wanted.values():
            tensor.requires_grad_()
        live: list[torch.Tensor] = []

        def keep(value: Any) -> tuple[Array, str] | None:
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                live.append(value)
            return read_torch(value)

        # Copies, since a leaf that needs a gradient cannot be updated in place.
        copies = [tensor.clone() for tensor in tensors.values()]
        try:
            leaves = flatten(_plain(module(*copies)), keep).values()
        except RuntimeError as error:  # such as "not differentiable with respect to 'weight'"
            self.skipped = str(error)
            return
        floating = [leaf for leaf in leaves if leaf.dtype.startswith(("float", "bfloat"))]
        if not any(tensor.requires_grad for tensor in live):
            self.skipped = "no output depends on a floating input or parameter"
            return
        # Another stream than that of the first input, which (seed, 0) begins like (seed,).
        random = np.random.default_rng((seed, len(inputs) + 1))
        total = torch.zeros(())
        for leaf, tensor in zip(floating, live, strict=True):
            if tensor.requires_grad:
                factors = np.asarray(random.standard_normal(tensor.shape), np.float32)
                total = total + (tensor.float() * torch.from_numpy(factors)).sum()
                self.leaves.append(leaf)
                self.factors.append(factors)
        try:
            total.backward()  # type: ignore[no-untyped-call]
        except RuntimeError as error:
            self.skipped = str(error)
            return
        self.by_input = {name: _gradient(tensor).numpy() for name, tensor in wanted.items()}
        parameters = dict(module.named_parameters())
        if parameters:
            self.state = module.state_dict()
            self.state.update({name: _gradient(item) for name, item in parameters.items()})


def read_torch(value: Any) -> tuple[Array, str] | None:
    """Return the values and the dtype's name of a torch.Tensor or a NumPy array."""
    if isinstance(value, np.ndarray):
        return value, value.dtype.name
    return read_tensor(value)


def _gradient(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad.detach()


def _flat(gradients: Any) -> list[Any]:
    if isinstance(gradients, tuple | list):
        return [item for part in gradients for item in _flat(part)]
    return [gradients]


def _plain(output: Any) -> Any:
    """Return an output whose named tuples are plain ones: a graph gives tuples."""
    if isinstance(output, tuple | list):
        return tuple(_plain(item) for item in output)
    return output


def main(arguments: list[str]) -> int:
    """Carry out the tasks named on the command line in the work folder named first.

    A task that failed to compile or to run ends the process with the status that asks for a fresh
    one: it can leave MindSpore in a state that makes later tasks fail or pass wrongly.
    """
    ms.set_device("CPU")
    folder = Path(arguments[0])
    runner = SampleRunner(folder)
    journal = Journal(folder)
    for task in arguments[1:]:
        function = runner.load if task == "import" else functools.partial(runner.run, task)
        if runner.port is None and task != "import":
            runner.load()
        if not journal.run(task, function, "PRT606") and (
            task == "import" or (runner.spoiled and runner.restart)
        ):
            return RESTART
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
