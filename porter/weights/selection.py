"""Choose the tensors of a checkpoint that are to be paired, by the names of the module."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from porter.types import Finding, PorterError, Position
from porter.weights.dtypes import find_float
from porter.weights.file_rules import FileRule
from porter.weights.report import IgnoredTensor
from porter.weights.tensor import Checkpoint, TensorInfo
from porter.weights.values import Source, Value

WRAPPER = "module."
"""What torch.nn.DataParallel puts before every name."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which tensors of a checkpoint to take, under which names, and in which floating dtype.

    Names outside `prefix` are left out, and the prefix is cut off the others. `ignore` holds
    regular expressions that match whole names, behind the prefix. Then `rules` are carried out.
    `dtype` None keeps every dtype. What does not fit is an error, unless `allow_missing` leaves
    Parameters out, or `allow_unexpected` tensors.
    """

    prefix: str = ""
    ignore: tuple[str, ...] = ()
    dtype: str | None = None
    key: str | None = None
    rules: tuple[FileRule, ...] = ()
    allow_missing: bool = False
    allow_unexpected: bool = False

    def check(self) -> None:
        """Raise PorterError (PRT703) for a dtype or a pattern that is none."""
        if self.dtype is not None:
            find_float(self.dtype)
        for text in self.ignore:
            _compile(text)


@dataclass(frozen=True, slots=True)
class Selected:
    """The values to pair by their names in torch, what was left out, and rules without effect."""

    values: dict[str, Value]
    ignored: tuple[IgnoredTensor, ...]
    findings: tuple[Finding, ...]


def select_tensors(path: Path | str, checkpoint: Checkpoint, selection: Selection) -> Selected:
    """Choose and rename the tensors of `checkpoint`, which was opened from `path`.

    Raises PorterError (PRT703) where the selection is none, or names nothing of the checkpoint.
    """
    selection.check()
    return rename_tensors(path, checkpoint.tensors.values(), selection)


def rename_tensors(
    path: Path | str, tensors: Iterable[TensorInfo], selection: Selection
) -> Selected:
    """Do the same where the tensors are known and the checkpoint is not at hand."""
    position = Position(str(path))
    patterns = {text: _compile(text) for text in selection.ignore}
    unused = set(patterns)
    ignored = []
    values: dict[str, Value] = {}
    for info in tensors:
        if not info.name.startswith(selection.prefix):
            ignored.append(IgnoredTensor(info.name, f"outside the prefix {selection.prefix}"))
            continue
        name = info.name[len(selection.prefix) :]
        matching = [text for text, pattern in patterns.items() if pattern.fullmatch(name)]
        unused.difference_update(matching)
        if matching:
            ignored.append(IgnoredTensor(info.name, f"ignored by request: {matching[0]}"))
        else:
            values[name] = Source(info)
    if unused:
        message = f"the pattern {min(unused)!r} to ignore matches no tensor"
        raise PorterError("PRT703", message, position=position)
    if selection.prefix and not values:
        message = f"no tensor's name starts with {selection.prefix!r}"
        raise PorterError("PRT703", message, position=position)
    findings = []
    for rule in selection.rules:
        before = values
        values, taken = rule.apply(before)
        if not taken:
            message = f"the rule {rule} matches no tensor"
            findings.append(Finding("PRT510", rule.position, message))
        elif rule.kind == "drop":
            names = [source for name in taken for source in before[name].sources]
            ignored += [IgnoredTensor(name, f"dropped by the rule {rule}") for name in names]
    return Selected(values, tuple(ignored), tuple(findings))


def without_wrapper(values: dict[str, Value]) -> dict[str, Value] | None:
    """Return the values without DataParallel's prefix where each of them has it, else None."""
    if not values or not all(name.startswith(WRAPPER) for name in values):
        return None
    return {name.removeprefix(WRAPPER): value for name, value in values.items()}


def _compile(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise PorterError("PRT703", f"no regular expression: {text!r}: {error}") from error
