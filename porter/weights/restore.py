"""Convert a MindSpore checkpoint back to the names and layouts of torch."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porter.mapping.load import Mapping
from porter.types import Finding, PorterError, Position
from porter.weights.convert import STEM, write_output
from porter.weights.dtypes import CastReport
from porter.weights.formats import OutputTensor
from porter.weights.manifest import read_source_tensors
from porter.weights.names import NameMap, ParameterNames, map_names
from porter.weights.read import open_mindspore_checkpoint
from porter.weights.report import TensorReport, WeightReport, WeightsError
from porter.weights.selection import Selection, rename_tensors
from porter.weights.settings import DEFAULTS, Settings
from porter.weights.shards import divide
from porter.weights.target import check_output
from porter.weights.tensor import Checkpoint, TensorInfo
from porter.weights.values import Source, Value, undo

if TYPE_CHECKING:
    import mindspore

SUFFIXES = (".safetensors",)


def restore_weights(
    file: Path,
    output: Path,
    *,
    cell: mindspore.nn.Cell,
    mapping: Mapping,
    settings: Settings = DEFAULTS,
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
    check_output(output, SUFFIXES, [])
    return Restoration(file, output, Selection(), settings).run(map_names(cell, mapping))


class Restoration:
    """A MindSpore checkpoint that is open, and still waits for the names of the Cell.

    `selection` holds the rules that the conversion had: the names of the original, which they
    cannot give back, are then taken from the manifest of `file`.
    """

    def __init__(self, file: Path, output: Path, selection: Selection, settings: Settings) -> None:
        self.file = file
        self.output = output
        self.selection = selection
        self.settings = settings
        self.opener = functools.partial(open_mindspore_checkpoint, file)
        check_output(output, SUFFIXES, [])
        self.checkpoint: Checkpoint = self.opener()
        check_output(output, SUFFIXES, self.checkpoint.files())

    def run(self, names: NameMap) -> WeightReport:
        """Undo what the conversion did to every Parameter, and write the result."""
        _check(self.file, self.checkpoint, names.parameters)
        values = self._before_rules(self._in_torch(names.parameters))
        rules = _rules(names.parameters)
        tensors = [OutputTensor(name, value, value.dtype) for name, value in values.items()]
        limit = None if self.output.suffix else self.settings.shard_size
        stem = self.output.stem if self.output.suffix else STEM
        shards = divide(tensors, stem, ".safetensors", limit, "pt")
        report = WeightReport(
            self.file,
            self.output,
            tuple(self._report(item, rules) for item in tensors),
            (),
            sum(tensor.size for tensor in tensors),
            tuple(shard.file for shard in shards),
            written=not self.settings.dry_run,
        )
        if self.settings.dry_run:
            return report

        def finish(_casts: dict[str, CastReport]) -> WeightReport:
            return report

        options = {"reverse": True, "rules": [rule.to_json() for rule in self.selection.rules]}
        return write_output(
            self.output, shards, self.checkpoint, self.opener, self.settings, options, finish
        )

    def _in_torch(self, parameters: Sequence[ParameterNames]) -> dict[str, Value]:
        """Return the tensors of the torch module, made of the Parameters."""
        made = []
        for parameter in parameters:
            given = Source(self.checkpoint.tensors[parameter.key])
            for source in parameter.sources:
                # Only the names are needed of what the Parameter was made of.
                held = {name: Source(TensorInfo(name, (), given.dtype)) for name in source.names}
                made.append((source.value(held), given))
        order = [name for item in parameters for source in item.sources for name in source.names]
        found = self._undo(made)
        return {name: found[name] for name in dict.fromkeys(order)}

    def _before_rules(self, values: dict[str, Value]) -> dict[str, Value]:
        """Return the tensors under the names that the original had before the rules."""
        if not self.selection.rules:
            return values
        original = read_source_tensors(self.file)
        renamed = rename_tensors(self.file, original, self.selection)
        trees = renamed.values
        made = [(trees[name], value) for name, value in values.items() if name in trees]
        missing = [name for name in values if name not in trees]
        if missing:
            raise PorterError(
                "PRT703",
                f"the rules give {missing[0]} no name in the original",
                position=Position(str(self.file)),
            )
        found = self._undo(made)
        return {info.name: found[info.name] for info in original if info.name in found}

    def _undo(self, made: Iterable[tuple[Value, Value]]) -> dict[str, Value]:
        try:
            return undo(made)
        except ValueError as error:
            position = Position(str(self.file))
            raise WeightsError(
                self.file, [Finding("PRT502", position, str(error))], None
            ) from error

    def _report(self, tensor: OutputTensor, rules: dict[str, str | None]) -> TensorReport:
        sources = tensor.value.sources
        return TensorReport(
            sources=sources,
            target=tensor.name,
            transform=", ".join(tensor.value.steps) or "identity",
            rule=rules.get(sources[0]),
            source_shape=self.checkpoint.tensors[sources[0]].shape,
            shape=tensor.shape,
            source_dtype=tensor.dtype.name,
            dtype=tensor.dtype.name,
        )


def _rules(parameters: Sequence[ParameterNames]) -> dict[str, str | None]:
    return {parameter.key: parameter.sources[0].rule for parameter in parameters}


def _check(file: Path, opened: Checkpoint, parameters: Sequence[ParameterNames]) -> None:
    """Raise WeightsError where the file does not hold exactly the Parameters of the Cell."""
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
