"""Record what the cells of a model get and return inside a compiled graph.

A graph has no hooks. Each cell to be recorded becomes an object of a generated subclass, whose
construct calls the original and copies every tensor into a Parameter; MindSpore keeps the order of
such assignments. A pass in PYNATIVE_MODE, recorded with `CallRecorder`, says beforehand which
tensors there are and how large they get.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn

from porter.parity.calltree import ModuleCall
from porter.parity.generated import import_generated
from porter.parity.tree import Leaf

_HELPERS = '''"""Record cells inside a graph; generated."""

import mindspore as ms
from mindspore import ops


def keep(buffer, place, value):
    """Copy a tensor behind those that the buffer holds; what does not fit goes to its last slot."""
    flat = value.reshape(-1).astype(buffer.dtype)
    count = flat.shape[0]
    slots = ops.minimum(place + ops.arange(count), buffer.shape[0] - 1)
    ops.assign(buffer, ops.tensor_scatter_elements(buffer, slots, flat))
    ops.assign_add(place, ms.Tensor(count, ms.int64))
'''
_STORED = {"float16": ms.float32, "bfloat16": ms.float32, "bool": ms.int32}


@dataclass(frozen=True, slots=True)
class _Tape:
    """The buffer of one tensor of one cell, with the calls whose values lie in it, in order."""

    side: str
    name: str
    calls: tuple[int, ...]
    buffer: ms.Parameter
    place: ms.Parameter


class GraphRecorder:
    """Turn the cells of a model that `calls`, the record of a PYNATIVE pass, names into recorders.

    `path` is where the generated module is written.
    """

    def __init__(self, cell: nn.Cell, calls: Sequence[ModuleCall], path: Path) -> None:
        self.calls = list(calls)
        self._tapes: list[_Tape] = []
        self._lines = [_HELPERS]
        self._globals: dict[str, Any] = {}
        indices: dict[str, list[int]] = {}
        for index, call in enumerate(self.calls):
            if call.path:  # the outputs of the model itself are there without a record
                indices.setdefault(call.path, []).append(index)
        cells = dict(cell.cells_and_names())
        classes = [
            (cells[name], self._generate(cells[name], number, places))
            for number, (name, places) in enumerate(indices.items())
        ]
        module = import_generated(path, "\n".join(self._lines) + "\n", self._globals)
        for recorded, class_name in classes:
            recorded.__class__ = getattr(module, class_name)

    def _generate(self, cell: nn.Cell, number: int, places: list[int]) -> str:
        """Add the recording class of one cell to the text, and its buffers to the cell."""
        signature = inspect.signature(type(cell).construct)
        _, *parameters = signature.parameters.values()
        kept = {side: self._tapes_of(cell, number, side, places) for side in ("inputs", "outputs")}
        base, name = f"Base{number}", f"Recorded{number}"
        self._globals[base] = type(cell)
        self._lines += [
            "",
            "",
            f"class {name}({base}):",
            f"    def construct({', '.join(['self', *self._declared(parameters, number)])}):",
            *kept["inputs"],
            f"        output = super().construct({', '.join(_passed(parameters))})",
            *kept["outputs"],
            "        return output",
        ]
        return name

    def _declared(self, parameters: Sequence[inspect.Parameter], number: int) -> list[str]:
        """Return the parameters of construct as text; defaults are globals of the module."""
        texts: list[str] = []
        for parameter in parameters:
            text = str(parameter.replace(annotation=parameter.empty, default=parameter.empty))
            if parameter.default is not parameter.empty:
                default = f"DEFAULT{number}_{parameter.name}"
                self._globals[default] = parameter.default
                text += f"={default}"
            if parameter.kind is parameter.KEYWORD_ONLY and not any(t[0] == "*" for t in texts):
                texts.append("*")
            texts.append(text)
        return texts

    def _tapes_of(self, cell: nn.Cell, number: int, side: str, places: list[int]) -> list[str]:
        """Make the buffers of one side of a cell; return the lines that fill them."""
        lines = []
        names = {name: None for place in places for name in getattr(self.calls[place], side)}
        for order, name in enumerate(names):
            holding = [p for p in places if name in getattr(self.calls[p], side)]
            leaves = [getattr(self.calls[place], side)[name] for place in holding]
            tensors = [leaf for leaf in leaves if leaf.array is not None]
            absent = [leaf for leaf in leaves if leaf.array is None and leaf.kind != "none"]
            if not tensors or absent:
                continue
            attribute = f"porter_{side}_{order}"
            size = sum(int(np.asarray(leaf.array).size) for leaf in tensors) + 1
            dtype = _STORED.get(tensors[0].dtype) or ms.Tensor(np.asarray(tensors[0].array)).dtype
            buffer = _parameter(f"{attribute}_{number}", np.zeros(size), dtype)
            place = _parameter(f"{attribute}_{number}_place", np.zeros(()), ms.int64)
            setattr(cell, attribute, buffer)
            setattr(cell, f"{attribute}_place", place)
            calls = tuple(
                p for p, leaf in zip(holding, leaves, strict=True) if leaf.array is not None
            )
            self._tapes.append(_Tape(side, name, calls, buffer, place))
            first, *rest = tensors[0].path if side == "inputs" else ("output", *tensors[0].path)
            value = str(first) + "".join(f"[{part!r}]" for part in rest)
            filling = f"keep(self.{attribute}, self.{attribute}_place, {value})"
            if len(tensors) < len(places):
                lines += [f"        if {first} is not None:", f"            {filling}"]
            else:
                lines.append(f"        {filling}")
        return lines

    def clear(self) -> None:
        """Forget what was recorded, before another pass."""
        for tape in self._tapes:
            tape.place.set_data(ms.Tensor(0, ms.int64))

    def read(self) -> list[ModuleCall]:
        """Return the calls of the last pass, with the values that the graph computed.

        A tensor of another size than in the PYNATIVE pass comes back without its values.
        """
        found: dict[tuple[int, str], dict[str, Leaf]] = {}
        for tape in self._tapes:
            values, count = tape.buffer.asnumpy(), int(tape.place.asnumpy())
            start = 0
            for place in tape.calls:
                leaf = getattr(self.calls[place], tape.side)[tape.name]
                array = np.asarray(leaf.array)
                part = values[start : start + array.size].reshape(array.shape).astype(array.dtype)
                if count != values.size - 1:
                    part = np.zeros((0,), dtype=array.dtype)
                found.setdefault((place, tape.side), {})[tape.name] = replace(leaf, array=part)
                start += array.size
        return [
            replace(
                call,
                inputs={**call.inputs, **found.get((index, "inputs"), {})},
                outputs={**call.outputs, **found.get((index, "outputs"), {})},
            )
            for index, call in enumerate(self.calls)
        ]


def _passed(parameters: Sequence[inspect.Parameter]) -> list[str]:
    texts = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            texts.append(f"*{parameter.name}")
        elif parameter.kind is parameter.VAR_KEYWORD:
            texts.append(f"**{parameter.name}")
        elif parameter.kind is parameter.KEYWORD_ONLY:
            texts.append(f"{parameter.name}={parameter.name}")
        else:
            texts.append(parameter.name)
    return texts


def _parameter(name: str, values: Any, dtype: Any) -> ms.Parameter:
    return ms.Parameter(ms.Tensor(values, dtype), name=name, requires_grad=False)
