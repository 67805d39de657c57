"""Convert a MindSpore checkpoint back to the names and layouts of torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from porter.mapping.load import Mapping
from porter.types import Finding, Position
from porter.weights.dtypes import Array
from porter.weights.names import ParameterNames, SourceName, map_names
from porter.weights.read_mindspore import open_mindspore_file
from porter.weights.report import TensorReport, WeightReport, WeightsError
from porter.weights.tensor import Checkpoint
from porter.weights.write import (
    OutputTensor,
    check_output,
    read_back_safetensors,
    write_tensors,
    written_aside,
)

if TYPE_CHECKING:
    import mindspore


@dataclass(frozen=True, slots=True)
class _Restored:
    parameter: ParameterNames
    source: SourceName
    output: OutputTensor


def restore_weights(
    file: Path, output: Path, *, cell: mindspore.nn.Cell, mapping: Mapping
) -> WeightReport:
    """Write the Parameters in `file`, a checkpoint of `cell`, as a torch state dict: .safetensors.

    The bits are kept, in the dtype of the file. A Parameter with several names in torch (tied
    weights) is written under each of them, as torch's own state_dict does. Tensors that the mapping
    drops, such as num_batches_tracked, cannot come back. `output` is replaced in one step.

    Raises:
        WeightsError: PRT501, PRT502, PRT503: everything in which file and Cell differ.
        PorterError: PRT507 for an unreadable file, PRT509 where the output reads back differently,
            PRT405 where it cannot be written, PRT901 for an ambiguous mapping.
    """
    check_output(output, (".safetensors",), file)
    names = map_names(cell, mapping)
    opened = open_mindspore_file(file)
    try:
        restored = {
            item.output.name: item
            for parameter in _checked(file, opened, names.parameters)
            for item in _invert(opened, parameter)
        }

        def produce(name: str) -> Array:
            item = restored[name]
            return item.source.transform.invert(opened.read(item.parameter.key))

        tensors = [item.output for item in restored.values()]
        with written_aside(output) as aside:
            write_tensors(aside, tensors, produce, origin="pt")
            read_back_safetensors(aside, tensors, produce)
        reports = tuple(_report(opened, item) for item in restored.values())
        return WeightReport(file, output, reports, (), sum(tensor.size for tensor in tensors))
    finally:
        opened.close()


def _checked(
    file: Path, opened: Checkpoint, parameters: tuple[ParameterNames, ...]
) -> tuple[ParameterNames, ...]:
    """Return `parameters` where the file holds exactly them, else raise WeightsError."""
    found: list[tuple[str, str]] = []
    known = {parameter.key: parameter for parameter in parameters}
    for name, info in opened.tensors.items():
        if name not in known:
            found.append(("PRT501", f"the Cell has no Parameter {name}"))
        elif info.shape != known[name].shape:
            shapes = f"{info.shape}, where the Cell has {known[name].shape}"
            found.append(("PRT503", f"Parameter {name}: the file has {shapes}"))
    missing = [key for key in known if key not in opened.tensors]
    found += [("PRT502", f"the file has no Parameter {key}") for key in missing]
    if found:
        position = Position(str(file))
        raise WeightsError(file, [Finding(code, position, text) for code, text in found], None)
    return parameters


def _invert(opened: Checkpoint, parameter: ParameterNames) -> list[_Restored]:
    dtype = opened.tensors[parameter.key].dtype
    return [
        _Restored(
            parameter,
            source,
            OutputTensor(source.name, source.transform.inverted_shape(parameter.shape), dtype),
        )
        for source in parameter.sources
    ]


def _report(opened: Checkpoint, item: _Restored) -> TensorReport:
    dtype = opened.tensors[item.parameter.key].dtype.name
    return TensorReport(
        sources=(item.parameter.key,),
        target=item.source.name,
        transform=str(item.source.transform),
        rule=item.source.rule,
        source_shape=item.parameter.shape,
        shape=item.output.shape,
        source_dtype=dtype,
        dtype=dtype,
    )
