"""Convert a torch checkpoint to a MindSpore checkpoint for one Cell, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porter.mapping.load import Mapping
from porter.weights.dtypes import Array, CastReport, measure_cast
from porter.weights.names import map_names
from porter.weights.pair import Pair, Pairing, Selection, overflows, pair_tensors
from porter.weights.read import open_checkpoint
from porter.weights.report import TensorReport, WeightReport, WeightsError
from porter.weights.tensor import Checkpoint
from porter.weights.write import (
    OUTPUT_SUFFIXES,
    OutputTensor,
    check_output,
    read_back,
    write_tensors,
    written_aside,
)

if TYPE_CHECKING:
    import mindspore


def convert_weights(
    checkpoint: Path,
    output: Path,
    *,
    cell: mindspore.nn.Cell,
    mapping: Mapping,
    dtype: str | None = None,
    prefix: str = "",
    ignore: Sequence[str] = (),
) -> WeightReport:
    """Write the tensors of `checkpoint` as the Parameters of `cell`: .ckpt or .safetensors.

    The bits are kept, unless `dtype` names another floating dtype, which applies to every floating
    tensor. Only names that start with `prefix` are taken, without it; `ignore` holds regular
    expressions for whole names to leave out. The Cell's own values are neither used nor changed.
    `output` is replaced in one step, or left as it was.

    Raises:
        WeightsError: PRT501, PRT502, PRT503, PRT504, PRT506: everything that does not fit.
        PorterError: PRT507, PRT508 for the checkpoint, PRT509 where the file reads back
            differently, PRT405 where it cannot be written, PRT703 for an unused prefix or pattern,
            PRT901 for an ambiguous mapping.
    """
    check_output(output, OUTPUT_SUFFIXES, checkpoint)
    names = map_names(cell, mapping)
    opened = open_checkpoint(checkpoint)
    try:
        selection = Selection(prefix, tuple(ignore), dtype)
        pairing = pair_tensors(checkpoint, opened, cell, names, selection)
        casts = _write(checkpoint, output, opened, pairing)
        return _report(checkpoint, output, opened, pairing, casts)
    finally:
        opened.close()


def _write(
    path: Path, output: Path, checkpoint: Checkpoint, pairing: Pairing
) -> dict[str, CastReport]:
    pairs = {pair.parameter.key: pair for pair in pairing.pairs}
    casts: dict[str, CastReport] = {}

    def produce(key: str) -> Array:
        pair = pairs[key]
        before, after = pair.read(checkpoint)
        if before is not after and key not in casts:
            casts[key] = measure_cast(before, pair.source_dtype, after, pair.dtype)
        return after

    tensors = [_output(pair) for pair in pairing.pairs]
    with written_aside(output) as aside:
        write_tensors(aside, tensors, produce)
        lost = overflows(path, [(pairs[key], report) for key, report in casts.items()])
        if lost:
            raise WeightsError(path, lost, "choose a dtype with a wider range, such as bfloat16")
        read_back(aside, tensors, produce)
    return casts


def _output(pair: Pair) -> OutputTensor:
    return OutputTensor(pair.parameter.key, pair.parameter.shape, pair.dtype)


def _report(
    path: Path,
    output: Path,
    checkpoint: Checkpoint,
    pairing: Pairing,
    casts: dict[str, CastReport],
) -> WeightReport:
    tensors = []
    for pair in pairing.pairs:
        name, source = pair.sources[0]
        info = checkpoint.tensors[name]
        tensors.append(
            TensorReport(
                sources=tuple(full_name for full_name, _ in pair.sources),
                target=pair.parameter.key,
                transform=str(source.transform),
                rule=source.rule,
                source_shape=info.shape,
                shape=pair.parameter.shape,
                source_dtype=info.dtype.name,
                dtype=pair.dtype.name,
                cast=casts.get(pair.parameter.key),
            )
        )
    size = sum(_output(pair).size for pair in pairing.pairs)
    return WeightReport(path, output, tuple(tensors), pairing.ignored, size)
