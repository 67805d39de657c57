"""Run the training side of a PyTorch model: gradients, one optimizer step, and the random parts."""

from __future__ import annotations

import copy
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import safetensors.torch
import torch

from porter.build import attribute
from porter.parity.compare import same_leaves
from porter.parity.folder import errors_of, float64_of
from porter.parity.inputs import load_inputs, map_arrays, save_inputs
from porter.parity.losses import losses_of
from porter.parity.reference import Reference, cast_inputs, import_source, read_tensor
from porter.parity.training import REPEATS, STEP, kept_share, output_figures, pass_seed
from porter.parity.tree import Leaf, flatten, ignored, load_leaves, save_leaves
from porter.types import PorterError, one_line
from porter.weights.dtypes import Array


def gradient(reference: Reference, case: str) -> dict[str, Any]:
    """Write the gradients of the sum of all floating outputs, each times fixed factors.

    Beside them, in float32, what they are off the float64 gradients; and, for the first case, the
    same for the parameters after one step of AdamW. Return why there are none under "skipped", and
    why there is no float64 yardstick under "float64".
    """
    work, item = reference.work, reference.case_of(case)
    arrays = load_inputs(work.torch_inputs(case, 0))
    wanted = [
        name
        for name, value in arrays.items()
        if isinstance(value, np.ndarray)
        and value.dtype.kind == "f"
        and item.reference[0][name] == item.variants[0][name]
    ]
    model = copy.deepcopy(reference.model)
    inputs, cotangents = _backward(reference, model, case, arrays, wanted, torch.float32)
    if not cotangents:
        return {"skipped": "no output depends on a parameter or a floating input"}
    save_inputs(work.cotangents(case), cotangents)
    save_inputs(work.input_gradients(case), inputs)
    stepping = reference.recipe.verify.training and item is reference.recipe.cases[0]
    kinds = [(work.gradients(case), _parameter_gradients)]
    if stepping:
        kinds.append((work.step(case), _after_step))
    for path, values in kinds:
        safetensors.torch.save_file(values(model), path)
    del model  # several times the memory of a large model is in use here
    try:
        exact = copy.deepcopy(reference.model).double()
        inputs, _ = _backward(reference, exact, case, arrays, wanted, torch.float64)
        for path, values in kinds:
            own = safetensors.torch.load_file(path)
            safetensors.torch.save_file(_errors(own, values(exact)), errors_of(path))
    except Exception as error:  # noqa: BLE001 - a model may be written for float32 alone
        return {"skipped": "", "float64": one_line(error)}
    save_inputs(float64_of(work.input_gradients(case)), inputs)
    return {"skipped": "", "float64": ""}


def _backward(
    reference: Reference,
    model: torch.nn.Module,
    case: str,
    arrays: Mapping[str, Any],
    wanted: list[str],
    dtype: torch.dtype,
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Leave the gradients in the parameters; return those of the inputs, and the factors."""
    inputs = cast_inputs(arrays, dtype)
    for name in wanted:
        inputs[name].requires_grad_()
    live: list[torch.Tensor] = []

    def keep(value: Any) -> tuple[Array, str] | None:
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            live.append(value)
        return read_tensor(value)

    leaves = flatten(reference.call(model, inputs, case), keep)
    floating = [leaf for leaf in leaves.values() if leaf.dtype.startswith(("float", "bfloat"))]
    cotangents: dict[str, Array] = {}
    terms: list[torch.Tensor] = []
    for leaf, tensor in zip(floating, live, strict=True):
        if ignored(leaf.name, reference.recipe.verify.ignore_outputs):
            continue
        random = np.random.default_rng(
            [reference.recipe.weights.seed, zlib.crc32(leaf.name.encode())]
        )
        factors = random.standard_normal(tuple(tensor.shape), dtype=np.float32)
        cotangents[leaf.name] = factors
        if tensor.requires_grad:
            terms.append((tensor.to(dtype) * torch.from_numpy(np.asarray(factors))).sum())
    if not terms:
        return {}, {}
    torch.stack(terms).sum().backward()  # type: ignore[no-untyped-call]
    return {name: _gradient(inputs[name]).numpy() for name in wanted}, cotangents


def _gradient(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad.detach()


def _parameter_gradients(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return _state(model, _gradient)


def _after_step(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Return the parameters after one step of AdamW with the gradients that they hold."""
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    for parameter in trainable:
        # The port's optimizer knows no parameter without a gradient.
        parameter.grad = _gradient(parameter)
    torch.optim.AdamW(trainable, **STEP).step()
    return _state(model, torch.Tensor.detach)


def _state(model: torch.nn.Module, value_of: Any) -> dict[str, torch.Tensor]:
    """Return a state dict of values: NaN stands for what has none, such as a buffer."""
    parameters = dict(model.named_parameters(remove_duplicate=False))
    result = {}
    for name, value in model.state_dict().items():
        parameter = parameters.get(name)
        if parameter is not None and parameter.requires_grad:
            result[name] = value_of(parameter).clone().contiguous()
        elif value.is_floating_point():
            result[name] = torch.full_like(value, float("nan")).contiguous()
        else:
            result[name] = value.clone().contiguous()
    return result


def _errors(
    own: Mapping[str, torch.Tensor], exact: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return what float32 is off float64, in float32: converting weights keeps differences."""
    return {
        name: (value.double() - exact[name]).float() if value.is_floating_point() else value
        for name, value in own.items()
    }


def training(reference: Reference, case: str) -> dict[str, Any]:
    """Run the training mode, and write its outputs, or where it draws at random its statistics.

    Return under "kind": "same" where training and evaluation are the same, "values" where the
    outputs are not random, and "random" where they are: then the share of kept values of each
    dropout module and the figures of each output are written, see `porter.parity.training`.
    """
    work = reference.work
    arrays = load_inputs(work.torch_inputs(case, 0))
    inputs = map_arrays(arrays, torch.from_numpy)
    evaluated = load_leaves(work.expected(case, 0))
    kept: dict[str, list[tuple[int, int]]] = {}
    shares: dict[str, float] = {}

    def run(index: int) -> dict[str, Leaf]:
        model = copy.deepcopy(reference.model).train()
        for path, module in model.named_modules():
            if isinstance(module, torch.nn.modules.dropout._DropoutNd) and 0 < module.p < 1:
                shares[path] = 1 - module.p
                _watch_dropout(path, module, kept)
        return reference.leaves(reference.call(model, inputs, case, pass_seed(index)))

    with torch.no_grad():
        passes = [run(0), run(1)]
        if same_leaves(passes[0], passes[1]):
            if same_leaves(passes[0], evaluated):
                return {"kind": "same"}
            expected = work.expected(case, 0, "training")
            save_leaves(expected, passes[0])
            exact = copy.deepcopy(reference.model).double().train()
            why = reference.try_float64(exact, arrays, case, float64_of(expected))
            return {"kind": "values", "float64": why}
        passes += [run(index) for index in range(2, REPEATS)]
    found = {
        "dropout": {p: [shares[p], *np.sum(v, axis=0).tolist()] for p, v in kept.items()},
        "outputs": output_figures(passes, evaluated),
    }
    work.statistics(case).write_text(json.dumps(found))
    return {"kind": "random"}


def _watch_dropout(
    path: str, module: torch.nn.Module, kept: dict[str, list[tuple[int, int]]]
) -> None:
    def count(_module: Any, args: tuple[Any, ...], output: torch.Tensor) -> None:
        kept.setdefault(path, []).append(kept_share(args[0].numpy(), output.numpy()))

    module.register_forward_hook(count)


def losses(reference: Reference) -> dict[str, Any]:
    """Train a copy of the model by the function of the recipe; return the loss of each step."""
    training = reference.recipe.training
    if training is None:
        raise PorterError("PRT904", "the recipe has no training")
    function = attribute(import_source(reference.recipe.source), training.function)
    inputs = map_arrays(load_inputs(reference.work.training_inputs), torch.from_numpy)
    model = copy.deepcopy(reference.model)
    torch.manual_seed(pass_seed(0))
    return {"losses": losses_of(training, function(model, **inputs))}
