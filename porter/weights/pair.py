"""Pair every tensor of a checkpoint with a Parameter, or find everything that does not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from porter.types import Finding, PorterError, Position
from porter.weights.dtypes import Array, CastReport, Dtype, cast, find_float, same_bits
from porter.weights.names import NameMap, ParameterNames, SourceName, find_constant, read_tensor
from porter.weights.report import IgnoredTensor, WeightsError
from porter.weights.tensor import Checkpoint

if TYPE_CHECKING:
    import mindspore


@dataclass(frozen=True, slots=True)
class Selection:
    """Which tensors of a checkpoint to take, and in which floating dtype to write them.

    Names outside `prefix` are left out, and the prefix is cut off the others. `ignore` holds
    regular expressions that match whole names, behind the prefix. `dtype` None keeps every dtype.
    """

    prefix: str = ""
    ignore: tuple[str, ...] = ()
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A Parameter and the tensors of the checkpoint that fill it: (full name there, torch name)."""

    parameter: ParameterNames
    sources: tuple[tuple[str, SourceName], ...]
    source_dtype: Dtype
    dtype: Dtype

    def read(self, checkpoint: Checkpoint) -> tuple[Array, Array]:
        """Return the Parameter's value in the dtype of the checkpoint, and as it is written."""
        name, source = self.sources[0]
        value = source.transform.apply(checkpoint.read(name))
        if self.source_dtype == self.dtype:
            return value, value
        return value, cast(value, self.source_dtype, self.dtype)


@dataclass(frozen=True, slots=True)
class Pairing:
    """All pairs, in the order of the Cell, and what was left out of the checkpoint."""

    pairs: tuple[Pair, ...]
    ignored: tuple[IgnoredTensor, ...]


def pair_tensors(
    path: Path,
    checkpoint: Checkpoint,
    cell: mindspore.nn.Cell,
    names: NameMap,
    selection: Selection = Selection(),
) -> Pairing:
    """Pair the tensors of `checkpoint`, opened from `path`, with the Parameters of `cell`.

    Raises:
        WeightsError: PRT501, PRT502, PRT503, PRT504, PRT506, all in one.
        PorterError: PRT703 where the selection names a dtype that is none, or nothing of the
            checkpoint.
    """
    return _Pairing(path, checkpoint, cell, names, selection).run()


class _Pairing:
    def __init__(
        self,
        path: Path,
        checkpoint: Checkpoint,
        cell: mindspore.nn.Cell,
        names: NameMap,
        selection: Selection,
    ) -> None:
        self.path = path
        self.checkpoint = checkpoint
        self.cell = cell
        self.names = names
        self.selection = selection
        self.dtype = find_float(selection.dtype) if selection.dtype else None
        self.findings: list[Finding] = []
        self.ignored: list[IgnoredTensor] = []

    def run(self) -> Pairing:
        left = self._select()
        pairs = []
        unfilled = []
        for parameter in self.names.parameters:
            sources = tuple(
                (left.pop(source.name), source)
                for source in parameter.sources
                if source.name in left
            )
            if not sources:
                unfilled.append(parameter)
                wanted = " or ".join(source.name for source in parameter.sources)
                self._report("PRT502", f"no tensor fills Parameter {parameter.key}: needs {wanted}")
            elif not self._misfits(parameter, sources):
                pairs.append(self._pair(parameter, sources))
        for name, full_name in left.items():
            self._explain(name, full_name)
        if self.findings:
            hint = self._hint(unfilled, left)
            raise WeightsError(self.path, self.findings, hint)
        return Pairing(tuple(pairs), tuple(self.ignored))

    def _select(self) -> dict[str, str]:
        """Return torch name -> full name in the checkpoint, for the tensors that must be paired."""
        prefix = self.selection.prefix
        patterns = {text: _compile(text) for text in self.selection.ignore}
        unused = set(patterns)
        chosen = {}
        for full_name in self.checkpoint.tensors:
            if not full_name.startswith(prefix):
                self._ignore(full_name, f"outside the prefix {prefix}")
                continue
            name = full_name[len(prefix) :]
            matching = [text for text, pattern in patterns.items() if pattern.fullmatch(name)]
            unused.difference_update(matching)
            if matching:
                self._ignore(full_name, f"ignored by request: {matching[0]}")
            else:
                chosen[name] = full_name
        if unused:
            raise self._unused(f"the pattern {min(unused)!r} to ignore matches no tensor")
        if prefix and not chosen:
            raise self._unused(f"no tensor's name starts with {prefix!r}")
        return chosen

    def _misfits(
        self, parameter: ParameterNames, sources: tuple[tuple[str, SourceName], ...]
    ) -> bool:
        """Report each source of a Parameter whose shape or dtype differs; tell if any does."""
        before = len(self.findings)
        for name, source in sources:
            self._check_source(parameter, name, source)
        return len(self.findings) > before

    def _check_source(self, parameter: ParameterNames, name: str, source: SourceName) -> None:
        info = self.checkpoint.tensors[name]
        names = f"{name} for Parameter {parameter.key}"
        try:
            shape = source.transform.shape(info.shape)
        except ValueError as error:
            self._report("PRT503", f"{names}: {error}")
            return
        if shape != parameter.shape:
            became = f", as {shape}" if shape != info.shape else ""
            wanted = f"where the Cell has {parameter.shape}"
            self._report("PRT503", f"{names}: the checkpoint has {info.shape}{became}, {wanted}")
            return
        dtype = self._target_dtype(info.dtype)
        stated = self.dtype is not None and info.dtype.floating and parameter.dtype.floating
        if not stated and dtype != parameter.dtype:
            wanted = f"where the Cell has {parameter.dtype.name}"
            self._report("PRT504", f"{names}: the checkpoint has {info.dtype.name}, {wanted}")

    def _pair(self, parameter: ParameterNames, sources: tuple[tuple[str, SourceName], ...]) -> Pair:
        first, *others = sources
        info = self.checkpoint.tensors[first[0]]
        pair = Pair(parameter, sources, info.dtype, self._target_dtype(info.dtype))
        if others:
            value = first[1].transform.apply(self.checkpoint.read(first[0]))
            for name, source in others:
                other = source.transform.apply(self.checkpoint.read(name))
                if not same_bits(value, other):
                    key = parameter.key
                    message = f"{first[0]} and {name} differ, and both are Parameter {key}"
                    self._report("PRT506", message)
        return pair

    def _explain(self, name: str, full_name: str) -> None:
        """Say why a tensor without a Parameter may be left out, or report that it may not."""
        if name in self.names.dropped:
            self._ignore(full_name, self.names.dropped[name])
            return
        constant = find_constant(self.cell, name)
        if constant is None:
            self._report("PRT501", f"no Parameter of the Cell is called {name} in torch")
            return
        value, dtype = read_tensor(constant)
        info = self.checkpoint.tensors[full_name]
        # Position ids are int64 in torch and int32 in many Cells: the values decide.
        alike = info.dtype == dtype or not (info.dtype.floating or dtype.floating)
        if alike and np.array_equal(value, self.checkpoint.read(full_name)):
            self._ignore(full_name, "the Cell builds the same values itself")
        else:
            message = f"{full_name} is no Parameter, and the Cell builds other values for it"
            self._report("PRT501", message)

    def _target_dtype(self, dtype: Dtype) -> Dtype:
        return self.dtype if self.dtype is not None and dtype.floating else dtype

    def _ignore(self, full_name: str, reason: str) -> None:
        self.ignored.append(IgnoredTensor(full_name, reason))

    def _report(self, code: str, message: str) -> None:
        self.findings.append(Finding(code, Position(str(self.path)), message))

    def _hint(self, unfilled: list[ParameterNames], left: dict[str, str]) -> str | None:
        """Return the option that would help: a prefix that fills every Parameter, or a dtype."""
        if {finding.code for finding in self.findings} == {"PRT504"}:
            return "give --dtype to state the change"
        if len(unfilled) != len(self.names.parameters):
            return None
        first = unfilled[0].sources[0].name
        for name in left:
            prefix = name.removesuffix(first)
            if prefix != name and all(
                any(prefix + source.name in left for source in parameter.sources)
                for parameter in unfilled
            ):
                return f"give --prefix {self.selection.prefix}{prefix}"
        return None

    def _unused(self, message: str) -> PorterError:
        return PorterError("PRT703", message, position=Position(str(self.path)))


def _compile(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise PorterError("PRT703", f"no regular expression: {text!r}: {error}") from error


def overflows(path: Path, casts: Sequence[tuple[Pair, CastReport]]) -> list[Finding]:
    """Return a finding (PRT504) for each cast that made a finite value infinite."""
    return [
        Finding(
            "PRT504",
            Position(str(path)),
            f"{pair.sources[0][0]}: {report.overflowed} finite values become infinite "
            f"in {pair.dtype.name}",
        )
        for pair, report in casts
        if report.overflowed
    ]
