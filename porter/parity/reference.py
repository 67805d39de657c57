"""Run the PyTorch side of a recipe; this imports and therefore executes the source being ported.

Called as `python -m porter.parity.reference FOLDER TASK...`. The tasks: "build" writes the weights;
"case/NAME/VARIANT" writes outputs in float32 and, as a yardstick, in float64; "gradient/NAME"
writes the gradients of sum(output * fixed factors) by the parameters and the floating inputs.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import re
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import safetensors.torch
import torch

from porter.build import attribute, build_model, import_named, one_line, resolve
from porter.parity.folder import Job, WorkFolder
from porter.parity.inputs import load_inputs, map_arrays, save_inputs
from porter.parity.tree import Leaf, flatten, ignored, save_leaves
from porter.parity.worker import Journal
from porter.recipe import Recipe, Source, Weights
from porter.types import PorterError
from porter.weights.dtypes import Array
from porter.weights.read import open_checkpoint


def import_source(source: Source) -> ModuleType:
    """Import the module that is being ported, which runs it; PRT704 where that fails."""
    if source.file is None:
        return import_named(source.module or "")  # type: ignore[no-any-return]
    folder, name = source.file.parent, source.file.stem
    while (folder / "__init__.py").is_file():
        folder, name = folder.parent, f"{folder.name}.{name}"
    sys.path.insert(0, str(folder))
    if "." in name:
        return import_named(name)  # type: ignore[no-any-return]
    # By its path: a file called random.py must not come out as the module of that name.
    specification = importlib.util.spec_from_file_location(name, source.file)
    if specification is None or specification.loader is None:
        raise PorterError("PRT704", f"{source.file} is no Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules.setdefault(name, module)
    try:
        specification.loader.exec_module(module)
    except Exception as error:  # the source is foreign code: whatever it raises is the answer
        raise PorterError("PRT704", f"cannot import {source.file}: {one_line(error)}") from error
    return module


def build_reference(recipe: Recipe) -> torch.nn.Module:
    """Return the PyTorch module in evaluation mode and float32, with the recipe's weights."""
    torch.manual_seed(recipe.weights.seed)
    module = import_source(recipe.source)
    model_class = attribute(module, recipe.source.class_name)

    def resolver(reference: str) -> Any:
        name, _, attributes = reference.partition(":")
        if name == module.__name__ and attributes:
            return attribute(module, attributes)
        return resolve(reference)

    model = build_model(model_class, recipe.build, resolver)
    if not isinstance(model, torch.nn.Module):
        raise PorterError("PRT704", f"{recipe.source.class_name} is no torch.nn.Module")
    model.eval().float()
    if recipe.weights.checkpoint is not None:
        load_checkpoint(model, recipe.weights.checkpoint, recipe.weights)
    else:
        randomise(model, recipe.weights)
    return model


def load_checkpoint(model: torch.nn.Module, path: Path, weights: Weights) -> None:
    """Load a checkpoint by its exact names.

    Raises PorterError PRT609 where names or shapes do not fit the module, PRT507 and PRT508 where
    the checkpoint cannot be read.
    """
    checkpoint = open_checkpoint(path)
    state = {}
    try:
        for name, info in checkpoint.tensors.items():
            local = name.removeprefix(weights.prefix)
            if not name.startswith(weights.prefix):
                continue
            if any(re.fullmatch(pattern, local) for pattern in weights.ignore):
                continue
            value = torch.from_numpy(checkpoint.read(name))
            is_bits = info.dtype.name == "bfloat16"
            state[local] = value.view(torch.bfloat16) if is_bits else value
    finally:
        checkpoint.close()
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        text = " ".join(str(error).split())
        raise PorterError("PRT609", f"{path.name} does not fit the module: {text[:400]}") from None


def randomise(model: torch.nn.Module, weights: Weights) -> None:
    """Give every parameter and floating persistent buffer seeded values that hide nothing.

    A weight left at one, a bias or a running mean left at zero would hide that it is not used, or
    used in the wrong place. Buffers keep their sign and their zeros, which may have a meaning.
    """
    random = torch.Generator().manual_seed(weights.seed + 1)
    persistent = model.state_dict().keys()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not parameter.is_floating_point():
                continue
            noise = torch.randn(parameter.shape, generator=random)
            if parameter.dim() >= 2:
                fan_in = float(np.prod(parameter.shape[1:]))
                parameter.copy_(noise * (weights.scale / max(1.0, fan_in) ** 0.5))
            elif not weights.keep_vectors:
                is_scale = name.endswith("weight")
                parameter.copy_(1 + 0.1 * noise if is_scale else parameter + 0.05 * noise)
        for name, buffer in model.named_buffers():
            if not buffer.is_floating_point():
                continue
            noise = torch.randn(buffer.shape, generator=random)
            if any(name.endswith(suffix) for suffix in weights.random_buffers):
                buffer.copy_(noise)
            elif name.endswith("running_var"):
                buffer.copy_(0.5 + torch.rand(buffer.shape, generator=random))
            elif name.endswith("running_mean"):
                buffer.copy_(0.1 * noise)
            elif name in persistent:
                buffer.mul_(1 + 0.05 * noise)


def read_tensor(value: Any) -> tuple[Array, str] | None:
    """Return the values and the dtype's name of a torch.Tensor."""
    if not isinstance(value, torch.Tensor):
        return None
    dtype = str(value.dtype).removeprefix("torch.")
    plain = value.detach().resolve_conj()
    return (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy(), dtype


class Reference:
    """Carry out the tasks of the PyTorch side."""

    def __init__(self, work: WorkFolder, recipe: Recipe) -> None:
        self.work = work
        self.recipe = recipe

    @functools.cached_property
    def model(self) -> torch.nn.Module:
        """The PyTorch module, built once."""
        return build_reference(self.recipe)

    def build(self) -> dict[str, Any]:
        """Write the weights, by PyTorch's names."""
        state = self.model.state_dict()
        tensors = {name: value.detach().clone().contiguous() for name, value in state.items()}
        safetensors.torch.save_file(tensors, self.work.state)
        count = sum(parameter.numel() for parameter in self.model.parameters())
        return {"parameters": count, "torch": torch.__version__}

    def call(self, model: torch.nn.Module, inputs: dict[str, Any], case: str) -> Any:
        """Call the model with the case's positional and keyword arguments."""
        method = self.recipe.verify.method
        function: Callable[..., Any] = model if method == "__call__" else getattr(model, method)
        names = next(item for item in self.recipe.cases if item.name == case).positional
        keywords = {name: value for name, value in inputs.items() if name not in names}
        torch.manual_seed(self.recipe.weights.seed + 2)
        return function(*[inputs[name] for name in names], **keywords)

    def leaves(self, output: Any) -> dict[str, Leaf]:
        """Return the leaves of an output that the recipe does not ignore."""
        names = self.recipe.verify.ignore_outputs
        leaves = flatten(output, read_tensor)
        return {name: leaf for name, leaf in leaves.items() if not ignored(name, names)}

    def case(self, case: str, variant: int) -> dict[str, Any]:
        """Write the outputs for one set of inputs, in float32 and, where it can, in float64."""
        arrays = load_inputs(self.work.torch_inputs(case, variant))
        with torch.no_grad():
            inputs = map_arrays(arrays, torch.from_numpy)
            save_leaves(
                self.work.expected(case, variant), self.leaves(self.call(self.model, inputs, case))
            )
            return {"float64": self._float64(arrays, case, variant)}

    def _float64(self, arrays: dict[str, Any], case: str, variant: int) -> str:
        """Write the outputs in float64; return why there are none where the model cannot do it."""

        def widen(array: Array) -> torch.Tensor:
            tensor = torch.from_numpy(array)
            return tensor.double() if tensor.is_floating_point() else tensor

        try:
            model = copy.deepcopy(self.model).double()
            leaves = self.leaves(self.call(model, map_arrays(arrays, widen), case))
        except Exception as error:  # noqa: BLE001 - a model may be written for float32 alone
            return one_line(error)
        save_leaves(self.work.expected(case, variant, "float64"), leaves)
        return ""

    def gradient(self, case: str) -> dict[str, Any]:
        """Write the gradients of the sum of all floating outputs, each times fixed factors."""
        item = next(item for item in self.recipe.cases if item.name == case)
        arrays = load_inputs(self.work.torch_inputs(case, 0))
        inputs = map_arrays(arrays, lambda array: torch.from_numpy(array).clone())
        shared = [
            name
            for name, value in inputs.items()
            if isinstance(value, torch.Tensor)
            and value.is_floating_point()
            and item.reference[0][name] == item.variants[0][name]
        ]
        for name in shared:
            inputs[name].requires_grad_()
        self.model.zero_grad(set_to_none=True)
        seed = self.recipe.weights.seed
        cotangents: dict[str, Array] = {}
        terms: list[torch.Tensor] = []

        def keep(value: Any) -> tuple[Array, str] | None:
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                live.append(value)
            return read_tensor(value)

        live: list[torch.Tensor] = []
        output = self.call(self.model, inputs, case)
        leaves = flatten(output, keep)
        floating = [leaf for leaf in leaves.values() if leaf.dtype.startswith(("float", "bfloat"))]
        for leaf, tensor in zip(floating, live, strict=True):
            if ignored(leaf.name, self.recipe.verify.ignore_outputs):
                continue
            random = np.random.default_rng([seed, zlib.crc32(leaf.name.encode())])
            factors = random.standard_normal(tuple(tensor.shape), dtype=np.float32)
            cotangents[leaf.name] = factors
            if tensor.requires_grad:
                terms.append((tensor.float() * torch.from_numpy(np.asarray(factors))).sum())
        if not terms:
            return {"skipped": "no output depends on a parameter or a floating input"}
        torch.stack(terms).sum().backward()  # type: ignore[no-untyped-call]
        save_inputs(self.work.cotangents(case), cotangents)
        save_inputs(
            self.work.input_gradients(case),
            {name: _gradient(inputs[name]).numpy() for name in shared},
        )
        safetensors.torch.save_file(self._parameter_gradients(), self.work.gradients(case))
        return {"skipped": ""}

    def _parameter_gradients(self) -> dict[str, torch.Tensor]:
        """Return a state dict of gradients: NaN stands for what needs none, such as a buffer."""
        parameters = dict(self.model.named_parameters(remove_duplicate=False))
        result = {}
        for name, value in self.model.state_dict().items():
            parameter = parameters.get(name)
            if parameter is not None and parameter.requires_grad:
                result[name] = _gradient(parameter).clone().contiguous()
            elif value.is_floating_point():
                result[name] = torch.full_like(value, float("nan")).contiguous()
            else:
                result[name] = value.clone().contiguous()
        return result


def _gradient(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad.detach()


def main(arguments: list[str]) -> int:
    """Carry out the tasks named on the command line in the work folder named first."""
    work = WorkFolder(Path(arguments[0]))
    reference = Reference(work, Job.load(work.root).recipe)
    journal = Journal(work.root)
    for task in arguments[1:]:
        kind, *rest = task.split("/")
        if kind == "build":
            if not journal.run(task, reference.build, "PRT609"):
                break
        elif kind == "case":
            name, variant = rest
            journal.run(task, functools.partial(reference.case, name, int(variant)), "PRT609")
        else:
            journal.run(task, functools.partial(reference.gradient, rest[0]), "PRT609")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
