"""Read the samples of the mapping tables: argument text in, expressions and array specs out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, replace
from math import inf, nan
from types import MappingProxyType
from typing import Any

from porter.mapping.bind import Binding, bind
from porter.mapping.load import Mapping
from porter.mapping.schema import Entry, Overload, Sample
from porter.types import PorterError

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


def unique_entries(mapping: Mapping) -> list[Entry]:
    """Return each entry once: an alias is the same entry under another name."""
    return list({entry.name: entry for entry in mapping.entries.values()}.values())


def with_samples(mapping: Mapping, samples: AbstractMapping[str, Sequence[Sample]]) -> Mapping:
    """Return the table with other samples for the entries that are named, and without limits there.

    A sample goes to the first spelling of its entry that it binds to, and is left out where it
    binds to none. Raises PorterError PRT901 for a sample that cannot be read.
    """
    changed = {
        name: replace(entry, limits=(), overloads=tuple(_distributed(entry, samples[entry.name])))
        for name, entry in mapping.entries.items()
        if entry.name in samples
    }
    return replace(mapping, entries=MappingProxyType({**mapping.entries, **changed}))


def _distributed(entry: Entry, samples: Sequence[Sample]) -> Iterator[Overload]:
    left = list(samples)
    for overload in entry.overloads:
        taken = [sample for sample in left if _binds(overload, sample)]
        left = [sample for sample in left if sample not in taken]
        yield replace(overload, samples=tuple(taken))


def _binds(overload: Overload, sample: Sample) -> bool:
    call = parse_arguments(sample.call if sample.init is None else sample.init, "x").call
    return overload.signature is None or isinstance(bind(overload.signature, call), Binding)


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
