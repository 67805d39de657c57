"""Convert a torch checkpoint to a MindSpore checkpoint for one Cell."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.mapping.load import Mapping
from porter.types import Finding, Position
from porter.weights.dtypes import CastReport
from porter.weights.engine import write_shards
from porter.weights.formats import OUTPUT_SUFFIXES, OutputTensor
from porter.weights.infer import infer_names
from porter.weights.manifest import manifest_text, run_key
from porter.weights.names import NameMap, map_names
from porter.weights.pair import Pairing, overflows, pair_tensors
from porter.weights.progress import progress
from porter.weights.read import open_checkpoint
from porter.weights.report import TensorReport, WeightReport, WeightsError
from porter.weights.selection import (
    Selected,
    Selection,
    select_tensors,
    without_wrapper,
)
from porter.weights.settings import DEFAULTS, Settings
from porter.weights.shards import Shard, divide, index_text
from porter.weights.target import check_output, locked_target
from porter.weights.tensor import Checkpoint

if TYPE_CHECKING:
    import mindspore

STEM = "model"


def convert_weights(
    checkpoint: Path | str,
    output: Path,
    *,
    cell: mindspore.nn.Cell,
    mapping: Mapping,
    dtype: str | None = None,
    prefix: str = "",
    ignore: Sequence[str] = (),
    settings: Settings = DEFAULTS,
) -> WeightReport:
    """Write the tensors of `checkpoint` as the Parameters of `cell`: .ckpt or .safetensors.

    The bits are kept, unless `dtype` names another floating dtype, which applies to every floating
    tensor. Only names that start with `prefix` are taken, without it; `ignore` holds regular
    expressions for whole names to leave out. The Cell's own values are neither used nor changed.
    `output` is replaced in one step, or left as it was.

    Raises:
        WeightsError: PRT501, PRT502, PRT503, PRT504, PRT506, PRT510: everything that does not fit.
        PorterError: PRT507, PRT508 for the checkpoint, PRT509 where the file reads back
            differently, PRT405 where it cannot be written, PRT703 for an unused prefix or pattern,
            PRT901 for an ambiguous mapping.
    """
    selection = Selection(prefix, tuple(ignore), dtype)
    conversion = Conversion(checkpoint, output, selection, settings)
    return conversion.run(map_names(cell, mapping, conversion.wanted()))


class Conversion:
    """A checkpoint that is open and selected, and still waits for the names of the Cell.

    These may come from another process, which needs to know which names are wanted. Raises what
    `convert_weights` does, but for what the Cell is asked.
    """

    def __init__(
        self, place: Path | str, output: Path, selection: Selection, settings: Settings
    ) -> None:
        self.place = place
        self.output = output
        self.selection = selection
        self.settings = settings
        self.opener = functools.partial(open_checkpoint, place, key=selection.key)
        selection.check()
        check_output(output, OUTPUT_SUFFIXES, [])
        self.checkpoint = self.opener()
        check_output(output, OUTPUT_SUFFIXES, self.checkpoint.files())
        self.selected: Selected = select_tensors(place, self.checkpoint, selection)

    def wanted(self) -> list[str]:
        """Return the names in torch that the Cell may hold as constants."""
        shorter = without_wrapper(self.selected.values) or {}
        return [*self.selected.values, *shorter]

    def infer(self) -> WeightReport:
        """Write every tensor under the name that it probably has in MindSpore."""
        values = without_wrapper(self.selected.values) or self.selected.values
        names, guessed = infer_names(values, str(self.place))
        return self.run(names, (guessed,))

    def run(self, names: NameMap, notes: tuple[Finding, ...] = ()) -> WeightReport:
        """Pair the tensors with the Parameters, and write them."""
        pairing = pair_tensors(self.place, self.checkpoint, names, self.selected, self.selection)
        tensors = [
            OutputTensor(pair.parameter.key, pair.values[0], pair.dtype) for pair in pairing.pairs
        ]
        suffix = self.output.suffix or self.settings.suffix
        self._refuse_lost_shapes(tensors, suffix)
        shards = self._divide(tensors, suffix)
        report = self._report(pairing, notes, shards, {})
        if self.settings.dry_run:
            return report
        pairs = {pair.parameter.key: pair for pair in pairing.pairs}

        def finish(casts: dict[str, CastReport]) -> WeightReport:
            lost = overflows(self.place, [(pairs[key], found) for key, found in casts.items()])
            if lost:
                hint = "choose a dtype with a wider range, such as bfloat16"
                raise WeightsError(self.place, lost, hint)
            return self._report(pairing, notes, shards, casts)

        return write_output(
            self.output, shards, self.checkpoint, self.opener, self.settings, self.options(), finish
        )

    def options(self) -> dict[str, Any]:
        """Return what changes the values or names of the output, for the manifest."""
        return {
            "key": self.selection.key,
            "prefix": self.selection.prefix,
            "ignore": list(self.selection.ignore),
            "dtype": self.selection.dtype,
            "rules": [rule.to_json() for rule in self.selection.rules],
            "allow_missing": self.selection.allow_missing,
            "allow_unexpected": self.selection.allow_unexpected,
        }

    def _divide(self, tensors: list[OutputTensor], suffix: str) -> list[Shard]:
        if self.output.suffix:
            return divide(tensors, self.output.stem, suffix, None)
        return divide(tensors, STEM, suffix, self.settings.shard_size)

    def _refuse_lost_shapes(self, tensors: list[OutputTensor], suffix: str) -> None:
        """MindSpore 2.10 reads the shape (0,) of a .ckpt file as a scalar of arbitrary value."""
        position = Position(str(self.place))
        lost = [
            Finding("PRT503", position, f"{item.name}: a .ckpt file cannot hold the shape (0,)")
            for item in tensors
            if suffix == ".ckpt" and item.shape == (0,)
        ]
        if lost:
            raise WeightsError(self.place, lost, "write .safetensors instead")

    def _report(
        self,
        pairing: Pairing,
        notes: tuple[Finding, ...],
        shards: Sequence[Shard],
        casts: dict[str, CastReport],
    ) -> WeightReport:
        tensors = []
        for pair in pairing.pairs:
            first, *others = pair.values
            shapes = [self.checkpoint.tensors[name].shape for name in first.sources]
            tensors.append(
                TensorReport(
                    sources=pair.sources,
                    target=pair.parameter.key,
                    transform=", ".join(first.steps) or "identity",
                    rule=pair.source.rule,
                    source_shape=shapes[0],
                    shape=pair.parameter.shape,
                    source_dtype=first.dtype.name,
                    dtype=pair.dtype.name,
                    cast=casts.get(pair.parameter.key),
                    tied=tuple(name for other in others for name in other.sources),
                )
            )
        return WeightReport(
            self.place,
            self.output,
            tuple(tensors),
            pairing.ignored,
            sum(shard.size for shard in shards),
            tuple(shard.file for shard in shards),
            (*notes, *pairing.notes),
            pairing.wrapper,
            written=not self.settings.dry_run,
        )


def write_output(
    output: Path,
    shards: Sequence[Shard],
    checkpoint: Checkpoint,
    opener: Any,
    settings: Settings,
    options: dict[str, Any],
    finish: Any,
) -> WeightReport:
    """Write `shards` aside, verify them, and put them in place as `output`.

    `finish` gives the report from what the casts lost, or raises where the output must not be.
    """
    files = checkpoint.files()
    total = sum(shard.size for shard in shards) * (2 if settings.verify else 1)
    with locked_target(output) as target:
        target.start(run_key(files, shards, options), settings.resume)
        with progress("Converting", total) as advance:
            written = write_shards(target, shards, checkpoint, opener, settings, advance)
        casts = {name: found for item in written for name, found in item.casts.items()}
        try:
            report: WeightReport = finish(casts)
        except WeightsError:
            target.forget()
            raise
        manifest = None
        if settings.manifest:
            manifest = manifest_text(report, checkpoint, written, options, _versions())
        texts = {}
        if len(shards) > 1:
            suffix = Path(shards[0].file).suffix
            texts[f"{STEM}{suffix}.index.json"] = index_text(shards)
        target.finish(texts, manifest)
    return report


def _versions() -> dict[str, str]:
    found = {}
    for name in ("mindspore", "torch", "safetensors"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
