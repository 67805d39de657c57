"""Find the first module whose inputs agree with PyTorch's and whose output does not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from porter.parity.calltree import ModuleCall, by_name
from porter.parity.compare import compare_leaves
from porter.parity.results import Location, ModuleRow, OutputRow
from porter.parity.tree import Leaf
from porter.recipe import Verify

_CLEAR = 4.0
"""How far beyond its limit a value inside a model must be to tell a fault from rounding."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """What was found of one call: `off` and `inputs_off` are the largest parts of a limit used."""

    call: ModuleCall
    port: ModuleCall | None
    worst: OutputRow | None = None
    off: float = 0.0
    inputs_off: float = 0.0

    @property
    def comparable(self) -> bool:
        """Tell whether there is an output on both sides."""
        return self.worst is not None


class ModuleComparison:
    """Compare the calls of a port with those of PyTorch in float32, and in float64 where given.

    Values are judged like the outputs of the model. What one side has alone (a cell inside a layer
    of the runtime, a module that the port has made a function) is passed over.
    """

    def __init__(
        self,
        reference: Sequence[ModuleCall],
        exact: Sequence[ModuleCall],
        port: Sequence[ModuleCall],
        settings: Verify,
    ) -> None:
        self._settings = settings
        self._calls = list(reference)
        self._children: dict[int | None, list[int]] = {}
        for index, call in enumerate(self._calls):
            self._children.setdefault(call.parent, []).append(index)
        others, yardsticks = by_name(port), by_name(exact)
        self._judged = [
            self._judge(call, others.get(key), yardsticks.get(key))
            for call in self._calls
            for key in [(call.path, call.call)]
        ]

        root = self._judged[-1].off if self._judged else 0.0
        # A slight fault of the model is a slight one of its modules.
        self._threshold = min(_CLEAR, math.sqrt(root)) if root > 1 else _CLEAR

    def _judge(
        self, call: ModuleCall, port: ModuleCall | None, exact: ModuleCall | None
    ) -> _Judged:
        if port is None:
            return _Judged(call, None)
        outputs = self._rows(call.outputs, port.outputs, exact.outputs if exact else {})
        inputs = self._rows(call.inputs, port.inputs, exact.inputs if exact else {})
        worst = max(outputs, key=_used, default=None)
        return _Judged(
            call,
            port,
            worst,
            max(map(_used, outputs), default=0.0),
            max(map(_used, inputs), default=0.0),
        )

    def _bad(self, index: int) -> bool:
        return self._judged[index].off > self._threshold

    def _inputs_agree(self, index: int) -> bool:
        return self._judged[index].inputs_off <= self._threshold

    def _rows(
        self, expected: Mapping[str, Leaf], actual: Mapping[str, Leaf], exact: Mapping[str, Leaf]
    ) -> tuple[OutputRow, ...]:
        """Compare the tensors by name, else in their order where both sides have as many."""
        first, second = _tensors(expected), _tensors(actual)
        if first.keys() != second.keys():
            if len(first) == len(second):
                second = dict(zip(first, second.values(), strict=True))
            else:
                names = [name for name in first if name in second]
                first = {name: first[name] for name in names}
                second = {name: second[name] for name in names}
        # Where PyTorch itself has NaN, nothing can be said.
        proven = {name: leaf for name, leaf in first.items() if not _has_nan(leaf)}
        second = {name: leaf for name, leaf in second.items() if name in proven}
        rows = compare_leaves(proven, second, exact, self._settings)
        return tuple(rows)

    def rows(self) -> tuple[ModuleRow, ...]:
        """Return a row for each call of PyTorch, in the order in which the calls end."""
        return tuple(self._row(index) for index in range(len(self._calls)))

    def _row(self, index: int) -> ModuleRow:
        judged = self._judged[index]
        call, port, worst = judged.call, judged.port, judged.worst
        agree = port is not None and self._inputs_agree(index)
        if port is None or worst is None:
            text = "no cell of the port" if port is None else "no tensor to compare"
            return ModuleRow(
                path=call.path,
                call=call.call,
                class_name=(port or call).class_name,
                level=self._level(index),
                torch_error=None,
                port_error=None,
                scale=None,
                limit=None,
                inputs_agree=agree,
                message=text,
            )
        values = np.asarray(call.outputs[worst.name].array)
        size = np.abs(values[np.isfinite(values)]).astype(np.float64)
        scale = float(size.max(initial=0.0))
        return ModuleRow(
            path=call.path,
            call=call.call,
            class_name=port.class_name,
            level=self._level(index),
            torch_error=worst.torch_error,
            port_error=worst.maximum_absolute if worst.port_error is None else worst.port_error,
            scale=scale,
            limit=worst.tolerance,
            inputs_agree=agree,
            code=worst.code if self._bad(index) else "",
            message=worst.message if self._bad(index) else "",
        )

    def _level(self, index: int) -> int:
        parent = self._calls[index].parent
        return 0 if parent is None else 1 + self._level(parent)

    def locate(self, case: str, mode: str) -> Location | None:
        """Return where the first fault is; None where the output of the model agrees."""
        root = len(self._calls) - 1
        if root < 0 or not self._bad(root):
            return None
        index = root
        while (inner := self._first_fault(index)) is not None:
            index = inner
        return self._location(case, mode, index)

    def _first_fault(self, index: int) -> int | None:
        seen_bad = False
        for child in self._parts(index):
            port = self._judged[child].port
            # Without inputs to compare, what ran before tells whether they can be right.
            agree = self._inputs_agree(child) if port and port.inputs else not seen_bad
            if self._bad(child) and agree:
                return child
            seen_bad = seen_bad or self._bad(child)
        return None

    def _parts(self, index: int) -> list[int]:
        """Return the calls inside a call; those that cannot be compared are looked through."""
        parts = []
        for child in self._children.get(index, []):
            parts += [child] if self._judged[child].comparable else self._parts(child)
        return parts

    def _location(self, case: str, mode: str, index: int) -> Location:
        judged = self._judged[index]
        port, call, bad = judged.port, judged.call, judged.worst
        if port is None or bad is None:
            raise ValueError("a location needs a call that differs")
        after, before = self._neighbours(index)
        inner = before or after
        own = port.definition is not None
        line = port.line
        original = call.line
        if own:
            line = inner.port.line if inner is not None and inner.port else port.definition
        if call.definition is not None:
            original = inner.call.line if inner is not None else call.definition
        return Location(
            case=case,
            mode=mode,
            path=call.path,
            call=call.call,
            class_name=port.class_name,
            message=f"its inputs agree, its output does not: {bad.name}: {bad.message}",
            after=after.call.path if after and own else "",
            before=before.call.path if before and own else "",
            port=line,
            source=original,
        )

    def _neighbours(self, index: int) -> tuple[_Judged | None, _Judged | None]:
        """Return the inner calls between which values go wrong, in the module's own code."""
        after: _Judged | None = None
        for child in self._parts(index):
            judged = self._judged[child]
            if not self._inputs_agree(child):
                return after, judged
            after = judged
        return after, None


def _tensors(leaves: Mapping[str, Leaf]) -> dict[str, Leaf]:
    return {name: leaf for name, leaf in leaves.items() if leaf.array is not None}


def _has_nan(leaf: Leaf) -> bool:
    array = np.asarray(leaf.array)
    return array.dtype.kind in "fc" and bool(np.isnan(array).any())


def _used(row: OutputRow) -> float:
    """Return which part of its limit an output uses; infinity where there are no values.

    Another dtype of the same numbers is seen at the outputs of the model, and is no place.
    """
    if row.used is not None and row.code in ("", "PRT602", "PRT603"):
        return row.used
    return math.inf if row.code else 0.0
