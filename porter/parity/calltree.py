"""Record what every module of a model gets and returns, in the same form for both frameworks."""

from __future__ import annotations

import functools
import inspect
import json
import linecache
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from porter.parity.results import Place
from porter.parity.tree import Leaf, ReadTensor, flatten, load_leaves, save_leaves
from porter.weights.dtypes import Array

_SIDES = ("inputs", "outputs")
FRAMEWORKS = ("torch", "mindspore")
"""Packages whose own lines are nothing that a user could look at."""


@dataclass(frozen=True, slots=True)
class ModuleCall:
    """One call of one module. `parent` is the place of the enclosing call in the list, or None.

    `path` is the module's name in the model, "" for the model itself, and `call` counts its calls
    from 0. `line` is where the call is made, `definition` where the module's own code begins; None
    where that is a framework's file. `inputs` go by the names of the parameters.
    """

    path: str
    call: int
    class_name: str
    parent: int | None
    line: Place | None
    definition: Place | None
    inputs: dict[str, Leaf]
    outputs: dict[str, Leaf]


class CallRecorder:
    """Record the calls of the watched modules, in the order in which they end."""

    def __init__(self, read_tensor: ReadTensor) -> None:
        self.calls: list[ModuleCall] = []
        self._read_tensor = read_tensor
        self._open: list[tuple[Any, list[int]]] = []
        self._counts: dict[str, int] = {}

    def watch(self, modules: Iterable[tuple[str, Any]], method: str) -> None:
        """Record each call of `method` of these modules from now on.

        The method of the object, not of its class, is replaced; what it computes stays the same.
        """
        for path, module in modules:
            setattr(module, method, self._recording(path, module, getattr(module, method)))

    def _recording(
        self, path: str, module: Any, original: Callable[..., Any]
    ) -> Callable[..., Any]:
        signature = inspect.signature(original)

        @functools.wraps(original)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            # Before the call: an in-place operation may change an input.
            inputs = flatten(dict(signature.bind(*args, **kwargs).arguments), self._copied)
            line = _calling_line(module, self._open[-1][0] if self._open else None)
            children: list[int] = []
            self._open.append((module, children))
            try:
                output = original(*args, **kwargs)
            finally:
                self._open.pop()
            outputs = flatten(_without_names(output), self._copied)
            self._keep(path, module, original, line, inputs, outputs, children)
            return output

        return recorded

    def _keep(
        self,
        path: str,
        module: Any,
        original: Callable[..., Any],
        line: Place | None,
        inputs: dict[str, Leaf],
        outputs: dict[str, Leaf],
        children: list[int],
    ) -> None:
        number = self._counts.get(path, 0)
        self._counts[path] = number + 1
        place = len(self.calls)
        name, definition = type(module).__name__, _definition(original)
        self.calls.append(ModuleCall(path, number, name, None, line, definition, inputs, outputs))
        for child in children:
            self.calls[child] = replace(self.calls[child], parent=place)
        if self._open:
            self._open[-1][1].append(place)

    def _copied(self, value: Any) -> tuple[Array, str] | None:
        tensor = self._read_tensor(value)
        # The frameworks hand out their own memory, which a later operation may overwrite.
        return (np.array(tensor[0]), tensor[1]) if tensor else None


def _without_names(output: Any) -> Any:
    """Return a dict output of the port's runtime without the entry that names its fields."""
    if isinstance(output, dict) and isinstance(output.get("fields"), tuple):
        return {name: value for name, value in output.items() if name != "fields"}
    return output


def _calling_line(module: Any, caller: Any) -> Place | None:
    """Return the line of the caller, or of a function around it, that calls `module`."""
    frame = inspect.currentframe()
    while frame is not None:
        path, owner = frame.f_code.co_filename, frame.f_locals.get("self")
        # Frames of the module itself are the way from its call to its own code.
        if _is_users(path) and owner is not module:
            return _place(path, frame.f_lineno)
        if caller is not None and owner is caller:
            return None
        frame = frame.f_back
    return None


def _definition(method: Callable[..., Any]) -> Place | None:
    code = getattr(inspect.unwrap(method), "__code__", None)
    if code is None or not _is_users(code.co_filename):
        return None
    return _place(code.co_filename, code.co_firstlineno)


def _is_users(path: str) -> bool:
    if path.startswith("<"):
        return False
    folders = Path(path).parts
    if "site-packages" in folders:
        package = folders[folders.index("site-packages") + 1]
        return package not in FRAMEWORKS
    return Path(__file__).parent not in Path(path).parents


def _place(path: str, line: int) -> Place:
    return Place(path, line, linecache.getline(path, line).strip())


def save_calls(path: Path, calls: list[ModuleCall]) -> None:
    """Write calls to `path`, with their tensors beside it."""
    leaves: dict[str, Leaf] = {}
    for index, call in enumerate(calls):
        for side in _SIDES:
            for leaf in getattr(call, side).values():
                whole = replace(leaf, path=(index, side, *leaf.path))
                leaves[whole.name] = whole
    path.parent.mkdir(parents=True, exist_ok=True)
    save_leaves(path.with_suffix(".npz"), leaves)
    rows = [asdict(replace(call, inputs={}, outputs={})) for call in calls]
    path.with_suffix(".calls.json").write_text(json.dumps(rows))


def load_calls(path: Path) -> list[ModuleCall]:
    """Read calls as `save_calls` wrote them."""
    parts: dict[tuple[int, str], dict[str, Leaf]] = {}
    for leaf in load_leaves(path.with_suffix(".npz")).values():
        index, side, *rest = leaf.path
        local = replace(leaf, path=tuple(rest))
        parts.setdefault((int(index), str(side)), {})[local.name] = local
    calls = []
    for index, row in enumerate(json.loads(path.with_suffix(".calls.json").read_text())):
        for key in ("line", "definition"):
            row[key] = Place(**row[key]) if row[key] else None
        for side in _SIDES:
            row[side] = parts.get((index, side), {})
        calls.append(ModuleCall(**row))
    return calls


def have_same_shape(first: list[ModuleCall], second: list[ModuleCall]) -> bool:
    """Tell whether two records hold the same calls in the same order."""
    return [(call.path, call.call) for call in first] == [(call.path, call.call) for call in second]


def by_name(calls: Sequence[ModuleCall]) -> Mapping[tuple[str, int], ModuleCall]:
    """Return the calls by path and number."""
    return {(call.path, call.call): call for call in calls}
