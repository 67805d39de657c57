"""Port and convert trained models of installed packages, and hold the Cells to torch."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import mindspore as ms
import numpy as np
import torch
from safetensors.torch import load_file

from porter.cli import main
from porter.parity.reference import perturbed
from porter.parity.yardstick import float64_limits
from porter.weights.cell import build_cell

Array = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Array]

ABSENT = re.compile(
    r"(bidi|cv2|pyclipper|requests|resampy|shapely|skimage|torchaudio|torchvision|webrtcvad)(\.|$)"
    r"|scipy\.ndimage\.morphology$"
)
"""What the packages import beside their models, and these tests do not install."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model: what is ported, from which file its weights come, and how torch makes it.

    `config` is what `porter weights` builds the Cell with. `lost` matches the names that a port has
    no place for: they are left out, and cannot come back. `codes` are all findings of the port.
    """

    source: str
    checkpoint: str
    make: Callable[[Path], torch.nn.Module]
    inputs: Callable[[Path], Arrays]
    report: Callable[[Path, Arrays, Sequence[Array]], str]
    config: Callable[[Path], Mapping[str, Any]] = lambda _: {}
    outputs: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    lost: str = r"never"
    codes: frozenset[str] = field(default_factory=frozenset)


class _Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stand in for modules that a package imports and its model never calls."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if not ABSENT.match(name):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        return MagicMock(name=spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let the packages of a folder be imported, and forget them after it."""
    finder = _Absent()
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if isinstance(origin, MagicMock) or str(origin).startswith(str(folder)):
                del sys.modules[name]


def port(model: Trained, output: Path) -> Path:
    """Run `porter port`, and check that nothing was found but what the model names."""
    main(["port", model.source, "-o", str(output)])
    manifest = json.loads((output / "port.json").read_text())
    assert {finding["code"] for finding in manifest["findings"]} == model.codes
    assert manifest["counts"]["manual"] == 0
    return output


def convert(model: Trained, folder: Path, ported: Path, output: Path) -> Path:
    """Run `porter weights`, which reads back what it writes."""
    config = ported.with_name(f"{ported.name}.json")
    config.write_text(json.dumps(model.config(folder)))
    options = [part for text in model.ignore for part in ("--ignore", text)]
    given = ["--port", str(ported), "--config", str(config)]
    checkpoint = str(folder / model.checkpoint)
    assert main(["weights", checkpoint, "-o", str(output), *given, *options]) == 0
    return output


def restore(ported: Path, converted: Path, output: Path) -> dict[str, torch.Tensor]:
    """Run `porter weights --reverse` and return what it wrote."""
    given = ["--port", str(ported), "--config", str(ported.with_name(f"{ported.name}.json"))]
    assert main(["weights", str(converted), "-o", str(output), *given, "--reverse"]) == 0
    found: dict[str, torch.Tensor] = load_file(str(output))
    return found


def original(path: Path) -> dict[str, torch.Tensor]:
    """Return the state dict of a checkpoint under the names of the module."""
    if path.suffix == ".safetensors":
        state: Any = load_file(str(path))
    else:
        state = torch.load(path, map_location="cpu", weights_only=True)
    state = state.get("model_state", state)
    return {name.removeprefix("module."): value for name, value in state.items()}


def load_cell(ported: Path, converted: Path) -> ms.nn.Cell:
    """Build the ported Cell and fill every Parameter of it."""
    cell = build_cell(None, ported, ported.with_name(f"{ported.name}.json"))
    values = ms.load_checkpoint(str(converted), format="safetensors")
    assert ms.load_param_into_net(cell, values, strict_load=True) == ([], [])
    cell.set_train(False)
    return cell


def torch_outputs(model: Trained, module: torch.nn.Module, inputs: Arrays) -> list[Array]:
    """Call a torch module and return its outputs as arrays."""
    with torch.no_grad():
        result = module(**{name: torch.from_numpy(value) for name, value in inputs.items()})
    return [value.numpy() for value in _chosen(model, result)]


def cell_outputs(model: Trained, cell: ms.nn.Cell, inputs: Arrays) -> list[Array]:
    """Call a Cell with the same arguments and return its outputs as arrays."""
    result = cell(**{name: ms.Tensor(value) for name, value in inputs.items()})
    return [value.asnumpy() for value in _chosen(model, result)]


def _chosen(model: Trained, result: Any) -> Sequence[Any]:
    if model.outputs:
        return [getattr(result, name) for name in model.outputs]
    return result if isinstance(result, tuple) else (result,)


def largest_difference(
    model: Trained, module: torch.nn.Module, inputs: Arrays, actual: Sequence[Array]
) -> float:
    """Return how far outputs are from torch's, each value within what float32 allows it.

    The yardstick is torch in float64: a Cell may have four times torch's own error.
    """
    expected = torch_outputs(model, module, inputs)
    moved, moved_inputs = perturbed(module, inputs, 0)
    again = torch_outputs(model, moved, moved_inputs)
    exact = torch_outputs(model, module.double(), {n: _wide(v) for n, v in inputs.items()})
    module.float()
    largest = 0.0
    for mine, theirs, nudged, true in zip(actual, expected, again, exact, strict=True):
        assert mine.shape == theirs.shape
        assert mine.dtype == theirs.dtype
        limits = float64_limits(theirs, true, "float32", 4.0, nudged.astype(np.float64))
        assert (np.abs(mine - limits.base) <= limits.limit).all()
        largest = max(largest, float(np.abs(mine - theirs).max()))
    return largest


def _wide(value: Array) -> Array:
    return value.astype(np.float64) if value.dtype == np.float32 else value
