"""Pair every tensor of a checkpoint with a Parameter, or find everything that does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from porter.types import Applicability, Finding, Position, Severity
from porter.weights.dtypes import CastReport, Dtype, find_float
from porter.weights.location import printable
from porter.weights.names import NameMap, ParameterNames, SourceName
from porter.weights.produce import same_values
from porter.weights.report import IgnoredTensor, WeightsError
from porter.weights.selection import WRAPPER, Selected, Selection, without_wrapper
from porter.weights.tensor import Checkpoint
from porter.weights.values import Value


@dataclass(frozen=True, slots=True)
class Pair:
    """A Parameter, the values of the checkpoint that each fill it, and what it becomes."""

    parameter: ParameterNames
    values: tuple[Value, ...]
    source: SourceName
    dtype: Dtype

    @property
    def sources(self) -> tuple[str, ...]:
        """Every tensor of the checkpoint that has a part in it."""
        return tuple(dict.fromkeys(name for value in self.values for name in value.sources))


@dataclass(frozen=True, slots=True)
class Pairing:
    """All pairs, in the order of the Cell, what was left out, and what to tell of it.

    `wrapper` is the prefix that every name of the checkpoint had, and that was cut off.
    """

    pairs: tuple[Pair, ...]
    ignored: tuple[IgnoredTensor, ...]
    notes: tuple[Finding, ...] = ()
    wrapper: str = ""


def pair_tensors(
    path: Path | str,
    checkpoint: Checkpoint,
    names: NameMap,
    selected: Selected,
    selection: Selection,
) -> Pairing:
    """Pair the tensors of `checkpoint`, opened from `path`, with the Parameters of a Cell.

    Raises WeightsError: PRT501, PRT502, PRT503, PRT504, PRT506, PRT510, all in one.
    """
    return _Pairing(path, checkpoint, names, selected, selection).run()


class _Pairing:
    def __init__(
        self,
        path: Path | str,
        checkpoint: Checkpoint,
        names: NameMap,
        selected: Selected,
        selection: Selection,
    ) -> None:
        self.path = path
        self.checkpoint = checkpoint
        self.names = names
        self.selection = selection
        self.values, self.wrapper = self._unwrapped(selected.values)
        self.dtype = find_float(selection.dtype) if selection.dtype else None
        self.findings = list(selected.findings)
        self.notes: list[Finding] = []
        self.ignored = list(selected.ignored)

    def run(self) -> Pairing:
        left = dict(self.values)
        pairs = []
        unfilled = []
        for parameter in self.names.parameters:
            sources = [
                source
                for source in parameter.sources
                if all(name in self.values for name in source.names)
            ]
            for source in sources:
                for name in source.names:
                    left.pop(name, None)
            if not sources:
                unfilled.append(parameter)
                self._unfilled(parameter)
            else:
                pair = self._pair(parameter, sources)
                pairs += [pair] if pair else []
        for name, value in left.items():
            self._explain(name, value)
        if self.findings:
            hint = self._hint(unfilled, left)
            raise WeightsError(self.path, self.findings, hint)
        return Pairing(tuple(pairs), tuple(self.ignored), tuple(self.notes), self.wrapper)

    def _unwrapped(self, values: dict[str, Value]) -> tuple[dict[str, Value], str]:
        """Cut DataParallel's prefix off where every name has it, and none of the Cell does."""
        shorter = without_wrapper(values)
        known = (
            name
            for parameter in self.names.parameters
            for source in parameter.sources
            for name in source.names
        )
        if shorter is None or any(name.startswith(WRAPPER) for name in known):
            return values, ""
        return shorter, WRAPPER

    def _unfilled(self, parameter: ParameterNames) -> None:
        wanted = " or ".join(source.name for source in parameter.sources)
        message = f"no tensor fills Parameter {parameter.key}: needs {wanted}"
        self._allow("PRT502", message, self.selection.allow_missing)

    def _pair(self, parameter: ParameterNames, sources: list[SourceName]) -> Pair | None:
        """Return the pair where each source fits, else report what does not."""
        before = len(self.findings)
        values = [source.value(self.values) for source in sources]
        for value in values:
            self._check_value(parameter, value)
        if len(self.findings) > before:
            return None
        self._check_tied(parameter, values)
        dtype = self._target_dtype(values[0].dtype)
        return Pair(parameter, tuple(values), sources[0], dtype)

    def _check_value(self, parameter: ParameterNames, value: Value) -> None:
        names = f"{' and '.join(value.sources)} for Parameter {parameter.key}"
        try:
            shape, found = value.shape, value.dtype
        except ValueError as error:
            self._report("PRT503", f"{names}: {error}")
            return
        if shape != parameter.shape:
            held = " and ".join(str(self._shape(name)) for name in value.sources)
            became = f", as {shape}" if str(shape) != held else ""
            wanted = f"where the Cell has {parameter.shape}"
            self._report("PRT503", f"{names}: the checkpoint has {held}{became}, {wanted}")
            return
        dtype = self._target_dtype(found)
        stated = self.dtype is not None and found.floating and parameter.dtype.floating
        if dtype.mindspore is None:
            self._report("PRT504", f"{names}: MindSpore loads no {dtype.name} from a file")
        elif not stated and dtype != parameter.dtype:
            wanted = f"where the Cell has {parameter.dtype.name}"
            self._report("PRT504", f"{names}: the checkpoint has {found.name}, {wanted}")

    def _shape(self, name: str) -> tuple[int, ...]:
        return self.checkpoint.tensors[name].shape

    def _check_tied(self, parameter: ParameterNames, values: list[Value]) -> None:
        first, *others = values
        for other in others:
            if not same_values(first, other, self.checkpoint):
                names = f"{' and '.join(first.sources)} and {' and '.join(other.sources)}"
                message = f"{names} differ, and both are Parameter {parameter.key}"
                self._report("PRT506", message)

    def _explain(self, name: str, value: Value) -> None:
        """Say why a tensor without a Parameter may be left out, or report that it may not."""
        if name in self.names.dropped:
            self._ignore(value, self.names.dropped[name])
            return
        if name not in self.names.constants:
            message = f"no Parameter of the Cell is called {name} in torch"
            self._allow("PRT501", message, self.selection.allow_unexpected, value)
            return
        constant, dtype = self.names.constants[name]
        # Position ids are int64 in torch and int32 in many Cells: the values decide.
        alike = value.dtype == dtype or not (value.dtype.floating or dtype.floating)
        if alike and np.array_equal(constant, value.read(self.checkpoint)):
            self._ignore(value, "the Cell builds the same values itself")
        else:
            names = " and ".join(value.sources)
            message = f"{names} is no Parameter, and the Cell builds other values for it"
            self._allow("PRT501", message, self.selection.allow_unexpected, value)

    def _target_dtype(self, dtype: Dtype) -> Dtype:
        return self.dtype if self.dtype is not None and dtype.floating else dtype

    def _ignore(self, value: Value, reason: str) -> None:
        self.ignored += [IgnoredTensor(name, reason) for name in value.sources]

    def _allow(self, code: str, message: str, allowed: bool, value: Value | None = None) -> None:
        """Report what does not fit as an error, or where it is allowed, as a warning."""
        finding = Finding(code, Position(str(self.path)), printable(message))
        if not allowed:
            self.findings.append(finding)
            return
        review, warning = Applicability.REVIEW, Severity.WARNING
        self.notes.append(replace(finding, applicability=review, severity=warning))
        if value is not None:
            self._ignore(value, "it does not fit the Cell, which was allowed")

    def _report(self, code: str, message: str) -> None:
        self.findings.append(Finding(code, Position(str(self.path)), printable(message)))

    def _hint(self, unfilled: list[ParameterNames], left: dict[str, Value]) -> str | None:
        """Return the option that would help: a prefix that fills every Parameter, or a dtype."""
        if {finding.code for finding in self.findings} == {"PRT504"}:
            return "give --dtype to state the change"
        if not unfilled or len(unfilled) != len(self.names.parameters):
            return None
        first = unfilled[0].sources[0].names[0]
        for name in left:
            prefix = name.removesuffix(first)
            if prefix != name and all(
                any(all(prefix + name in left for name in source.names) for source in item.sources)
                for item in unfilled
            ):
                return f"give --prefix {self.selection.prefix}{self.wrapper}{prefix}"
        return None


def overflows(path: Path | str, casts: Sequence[tuple[Pair, CastReport]]) -> list[Finding]:
    """Return a finding (PRT504) for each cast that made a finite value infinite."""
    return [
        Finding(
            "PRT504",
            Position(str(path)),
            f"{pair.sources[0]}: {report.overflowed} finite values become infinite "
            f"in {pair.dtype.name}",
        )
        for pair, report in casts
        if report.overflowed
    ]
