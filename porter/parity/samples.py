"""Read the samples of the mapping tables: argument text in, seeded arrays and expressions out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np

from porter.mapping.load import Mapping
from porter.mapping.schema import Entry, Overload
from porter.types import PorterError
from porter.weights.dtypes import Array

DTYPES = {
    "f32": "float32",
    "f16": "float16",
    "f64": "float64",
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "u8": "uint8",
    "b": "bool",
    "c64": "complex64",
}
_LITERALS = {"nan": nan, "inf": inf}


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """One array of a sample: a NumPy dtype and a shape with a range, or the values themselves."""

    dtype: str
    shape: tuple[int, ...] = ()
    low: float | None = None
    high: float | None = None
    values: Any = None


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A call whose arrays became names: `call` holds the arguments, `arrays` the names' makings."""

    call: ast.Call
    arrays: tuple[tuple[str, ArraySpec], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One sample of one entry, read; `init` is None where the entry is no module."""

    entry: Entry
    overload: Overload
    index: int
    call: ParsedCall
    init: ParsedCall | None = None
    spelling: str = ""

    @property
    def task(self) -> str:
        """The name of the case in reports: `torch.cat#2`, with the spelling if it is derived."""
        return f"{self.entry.name}#{self.index}{self.spelling and ':' + self.spelling}"

    @property
    def class_name(self) -> str:
        """The name of the class that is generated for the case."""
        plain = self.entry.name.replace(".", "_").replace("*", "any")
        return f"Case_{plain}_{self.index}{self.spelling and '_' + self.spelling}"

    @property
    def seed(self) -> int:
        """What the arrays are drawn from: alike in all spellings of a sample."""
        return int.from_bytes(f"{self.entry.name}#{self.index}".encode()[-7:], "big")


def parse_arguments(text: str, prefix: str) -> ParsedCall:
    """Read the argument text of a sample; its arrays are named `prefix` and a number, in order.

    `f32[2,3]` is an array of that shape, `f32[2,3,0.1:2.0]` one within that range, `f32[()]` a
    scalar, `i64([1, 0])` one of those values. Raises PorterError PRT901 for anything unreadable.
    """
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        hoist = _Hoist(prefix)
        hoisted = hoist.visit(call)
    except (SyntaxError, ValueError) as error:
        raise PorterError("PRT901", f"the sample {text!r} cannot be read: {error}") from error
    return ParsedCall(hoisted, tuple(hoist.arrays))


class _Hoist(ast.NodeTransformer):
    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.arrays: list[tuple[str, ArraySpec]] = []

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in DTYPES:
            return self._name(_random(DTYPES[node.value.id], node.slice))
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in DTYPES:
            (values,) = node.args
            return self._name(ArraySpec(DTYPES[node.func.id], values=_literal(values)))
        return self.generic_visit(node)

    def _name(self, spec: ArraySpec) -> ast.Name:
        name = f"{self.prefix}{len(self.arrays)}"
        self.arrays.append((name, spec))
        return ast.Name(name, ast.Load())


def _random(dtype: str, index: ast.expr) -> ArraySpec:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    shape = tuple(_literal(part) for part in parts if not isinstance(part, ast.Slice))
    for part in parts:
        if isinstance(part, ast.Slice):
            if part.lower is None or part.upper is None or part.step is not None:
                raise ValueError("a range needs both ends")
            return ArraySpec(dtype, shape, _literal(part.lower), _literal(part.upper))
    return ArraySpec(dtype, shape)


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.List):
        return [_literal(item) for item in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_literal(node.operand)
    if isinstance(node, ast.Name) and node.id in _LITERALS:
        return _LITERALS[node.id]
    return ast.literal_eval(node)


def make_array(spec: ArraySpec, *seed: int) -> Array:
    """Return the array of a spec.

    Without a range, numbers are on both sides of zero and booleans of both values, so that the
    branch which a function takes for either is reached.
    """
    if spec.values is not None:
        return np.array(spec.values, dtype=spec.dtype)
    random = np.random.default_rng(seed)
    size = int(np.prod(spec.shape))
    values: Array
    if spec.low is not None and spec.high is not None:
        if np.issubdtype(spec.dtype, np.integer):
            values = random.integers(int(spec.low), int(spec.high), size)
        else:
            values = random.uniform(spec.low, spec.high, size)
    elif spec.dtype == "bool":
        values = random.permutation(np.arange(size) % 2 == 0)
    elif np.issubdtype(spec.dtype, np.integer):
        lowest = 0 if spec.dtype == "uint8" else -4
        values = random.integers(lowest, 9, size)
    else:
        values = random.standard_normal(size)
        if size > 1:
            values[0], values[-1] = -abs(values[0]), abs(values[-1])
        if spec.dtype == "complex64":
            values = values + 1j * random.standard_normal(size)
    return np.asarray(values.reshape(spec.shape)).astype(spec.dtype)


def inputs_of(case: Case, call: ParsedCall) -> dict[str, Array]:
    """Return the arrays of a call of a case by name."""
    return {
        name: make_array(spec, case.seed, position)
        for position, (name, spec) in enumerate(call.arrays)
    }


def unique_entries(mapping: Mapping) -> list[Entry]:
    """Return each entry once: an alias is the same entry under another name."""
    return list({entry.name: entry for entry in mapping.entries.values()}.values())


def cases_of(entry: Entry) -> Iterator[Case]:
    """Read the samples of an entry, numbered through all its spellings.

    A constant has none: it is proven in a call that takes it.
    """
    if entry.kind == "constant":
        text = _constant_call(entry)
        if text is not None:
            yield Case(entry, entry.overloads[0], 0, parse_arguments(text, "x"))
        return
    index = 0
    for overload in entry.overloads:
        for sample in overload.samples:
            init = None if sample.init is None else parse_arguments(sample.init, "a")
            yield Case(entry, overload, index, parse_arguments(sample.call, "x"), init)
            index += 1


def _constant_call(entry: Entry) -> str | None:
    match entry.overloads[0].result if entry.overloads else "none":
        case "dtype":
            return f"(2, 3), dtype={spelled(entry.name)}"
        case "float":
            return f"(2, 3), {spelled(entry.name)}, dtype=torch.float32"
    return None


def spelled(name: str) -> str:
    """Return how the generated source writes a full name."""
    return f"np.{name[6:]}" if name.startswith("numpy.") else name


def find_case(mapping: Mapping, task: str) -> Case:
    """Return the case that a task of `Case.task` names, in the spelling of the sample."""
    name, _, number = task.partition(":")[0].rpartition("#")
    return next(case for case in cases_of(mapping.entries[name]) if case.index == int(number))
