"""Build the PyTorch side of a recipe and run it; this executes the source being ported."""

from __future__ import annotations

import copy
import functools
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import safetensors.torch
import torch

from porter.build import (
    attribute,
    build_model,
    import_file,
    import_named,
    resolve,
)
from porter.parity.calltree import CallRecorder, ModuleCall, have_same_shape, save_calls
from porter.parity.folder import WorkFolder, float64_of, perturbed_of
from porter.parity.inputs import load_inputs, map_arrays
from porter.parity.tree import Leaf, flatten, ignored, save_leaves
from porter.recipe import Case, Recipe, Source, Weights
from porter.types import PorterError, one_line
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
    return import_file(source.file, name)  # type: ignore[no-any-return]


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
    for name, info in checkpoint.tensors.items():
        local = name.removeprefix(weights.prefix)
        if not name.startswith(weights.prefix):
            continue
        if any(re.fullmatch(pattern, local) for pattern in weights.ignore):
            continue
        value = torch.from_numpy(checkpoint.read(name))
        is_bits = info.dtype.name == "bfloat16"
        state[local] = value.view(torch.bfloat16) if is_bits else value
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

    def case_of(self, name: str) -> Case:
        """Return the recipe's case of that name."""
        return next(item for item in self.recipe.cases if item.name == name)

    def call(
        self, model: torch.nn.Module, inputs: dict[str, Any], case: str, seed: int | None = None
    ) -> Any:
        """Call the model with the case's positional and keyword arguments."""
        method = self.recipe.verify.method
        function: Callable[..., Any] = model if method == "__call__" else getattr(model, method)
        names = self.case_of(case).positional
        keywords = {name: value for name, value in inputs.items() if name not in names}
        torch.manual_seed(self.recipe.weights.seed + 2 if seed is None else seed)
        return function(*[inputs[name] for name in names], **keywords)

    def leaves(self, output: Any) -> dict[str, Leaf]:
        """Return the leaves of an output that the recipe does not ignore."""
        names = self.recipe.verify.ignore_outputs
        leaves = flatten(output, read_tensor)
        return {name: leaf for name, leaf in leaves.items() if not ignored(name, names)}

    def case(self, case: str, variant: int) -> dict[str, Any]:
        """Write the outputs for one set of inputs, in float32 and, where it can, in float64."""
        arrays = load_inputs(self.work.torch_inputs(case, variant))
        expected = self.work.expected(case, variant)
        self.save_leaves(self.model, arrays, case, expected, torch.float32)
        exact = copy.deepcopy(self.model).double()
        why = self.try_float64(exact, arrays, case, float64_of(expected))
        if not why:
            del exact
            model, moved = perturbed(self.model, arrays, self.recipe.weights.seed)
            self.save_leaves(model, moved, case, perturbed_of(expected), torch.float32)
        return {"float64": why}

    def half(self, case: str, dtype: str) -> dict[str, Any]:
        """Write the outputs of the model in a half precision, and its float64 yardstick.

        The yardstick computes in float64 with the weights and inputs of the half precision: what
        rounding them costs is nobody's fault.
        """
        half = getattr(torch, dtype)
        arrays = load_inputs(self.work.torch_inputs(case, 0))
        expected = self.work.expected(case, 0, dtype)
        model = copy.deepcopy(self.model).to(half)
        self.save_leaves(model, arrays, case, expected, half)
        rounded = map_arrays(arrays, lambda array: _rounded(array, half))
        return {"float64": self.try_float64(model.double(), rounded, case, float64_of(expected))}

    def save_leaves(
        self,
        model: torch.nn.Module,
        arrays: dict[str, Any],
        case: str,
        path: Path,
        dtype: torch.dtype,
    ) -> None:
        """Write what the model returns for the inputs, the floating ones cast to `dtype`."""
        with torch.no_grad():
            output = self.call(model, cast_inputs(arrays, dtype), case)
        save_leaves(path, self.leaves(output))

    def try_float64(
        self, model: torch.nn.Module, arrays: dict[str, Any], case: str, path: Path
    ) -> str:
        """Write what a float64 model returns; return why there is nothing where it cannot."""
        try:
            self.save_leaves(model, arrays, case, path, torch.float64)
        except Exception as error:  # noqa: BLE001 - a model may be written for float32 alone
            return one_line(error)
        return ""

    def record(self, case: str) -> dict[str, Any]:
        """Write what every module gets and returns, in float32 and, where it can, in float64."""
        arrays = load_inputs(self.work.torch_inputs(case, 0))
        calls = self._recorded(copy.deepcopy(self.model), arrays, case, torch.float32)
        path = self.work.record("torch", case)
        save_calls(path, calls)
        try:
            model = copy.deepcopy(self.model).double()
            exact = self._recorded(model, arrays, case, torch.float64)
        except Exception as error:  # noqa: BLE001 - a model may be written for float32 alone
            return {"float64": one_line(error)}
        if not have_same_shape(calls, exact):
            return {"float64": "other modules run in float64"}
        save_calls(float64_of(path), exact)
        return {"float64": ""}

    def _recorded(
        self, model: torch.nn.Module, arrays: dict[str, Any], case: str, dtype: torch.dtype
    ) -> list[ModuleCall]:
        recorder = CallRecorder(read_tensor)
        recorder.watch(model.named_modules(), "forward")
        method = self.recipe.verify.method
        if method != "__call__":
            recorder.watch([("", model)], method)
        with torch.no_grad():
            self.call(model, cast_inputs(arrays, dtype), case)
        return recorder.calls


def cast_inputs(arrays: Mapping[str, Any], dtype: torch.dtype) -> dict[str, Any]:
    """Return tensors of their own of the arrays, the floating ones in `dtype`."""

    def cast(array: Array) -> torch.Tensor:
        tensor = torch.from_numpy(array).clone()
        return tensor.to(dtype) if tensor.is_floating_point() else tensor

    return dict(map_arrays(dict(arrays), cast))


def perturbed(
    model: torch.nn.Module, arrays: Mapping[str, Any], seed: int
) -> tuple[torch.nn.Module, dict[str, Any]]:
    """Return a model and inputs whose floating values are off by up to an epsilon of float32.

    Every float32 computation is at best the exact one for such values.
    """
    epsilon = torch.finfo(torch.float32).eps
    random = torch.Generator().manual_seed(seed + 3)

    def moved(tensor: torch.Tensor) -> torch.Tensor:
        noise = 2 * torch.rand(tensor.shape, generator=random) - 1
        return tensor * (1 + epsilon * noise)

    model = copy.deepcopy(model)
    with torch.no_grad():
        for tensor in (*model.parameters(), *model.buffers()):
            if tensor.dtype == torch.float32:
                tensor.copy_(moved(tensor))

    def moved_array(array: Array) -> Array:
        if array.dtype != np.float32:
            return array
        return moved(torch.from_numpy(array)).numpy()

    return model, dict(map_arrays(dict(arrays), moved_array))


def _rounded(array: Array, dtype: torch.dtype) -> Array:
    if array.dtype.kind != "f":
        return array
    return torch.from_numpy(array).to(dtype).double().numpy()
