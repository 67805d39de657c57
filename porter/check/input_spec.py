"""Read the description of a Cell's inputs, such as `float32[batch:2, 16], mask=bool[batch:2]`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any

from porter.types import PorterError

DTYPES = {
    "bool": "bool",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "uint8": "uint8",
    "float16": "float16",
    "float32": "float32",
    "float64": "float64",
}
DEFAULT_SIZE = 3
EXAMPLE = 'write inputs as "float32[batch:2, 16], mask=bool[batch:2], flag=True"'


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor input: its dtype, its sizes, and which dimensions may change between calls."""

    dtype: str
    shape: tuple[int, ...]
    dynamic: tuple[bool, ...]

    @property
    def declared(self) -> tuple[int | None, ...]:
        """The shape for `set_inputs`. Where no dimension has a name, each may change."""
        every = not any(self.dynamic)
        return tuple(
            None if every or free else size
            for size, free in zip(self.shape, self.dynamic, strict=True)
        )


@dataclass(frozen=True, slots=True)
class InputSpec:
    """All inputs of one call; a value is a TensorSpec, a Python literal, or a sequence of these."""

    positional: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]

    def grown(self) -> InputSpec:
        """Return the same inputs with each dimension that has a name larger by one."""
        return InputSpec(
            tuple(_grown(value) for value in self.positional),
            tuple((name, _grown(value)) for name, value in self.named),
        )


def read_inputs(text: str) -> InputSpec:
    """Read the inputs of one call.

    `float32[2, 3]` is a tensor. A dimension with a name, `batch` or `batch:4`, may change between
    calls. Anything else is a Python literal, a tuple or a list.

    Raises:
        PorterError: PRT803 where the text is none of these.
    """
    try:
        call = ast.parse(f"inputs({text})", mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise _refused(text) from error
    if not isinstance(call, ast.Call) or any(keyword.arg is None for keyword in call.keywords):
        raise _refused(text)
    named = tuple((keyword.arg or "", _value(keyword.value, text)) for keyword in call.keywords)
    return InputSpec(tuple(_value(node, text) for node in call.args), named)


def _grown(value: Any) -> Any:
    if isinstance(value, TensorSpec):
        pairs = zip(value.shape, value.dynamic, strict=True)
        return replace(value, shape=tuple(size + free for size, free in pairs))
    if isinstance(value, tuple | list):
        return type(value)(_grown(item) for item in value)
    return value


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return _tensor(node.value.id, node.slice, text)
    if isinstance(node, ast.Name) and node.id in DTYPES:
        return TensorSpec(DTYPES[node.id], (), ())
    if isinstance(node, ast.Tuple | ast.List):
        items = [_value(item, text) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise _refused(text) from error


def _tensor(dtype: str, dimensions: ast.expr, text: str) -> TensorSpec:
    if dtype not in DTYPES:
        raise PorterError("PRT803", f"no dtype {dtype!r}", hint=f"known: {', '.join(DTYPES)}")
    nodes = dimensions.elts if isinstance(dimensions, ast.Tuple) else [dimensions]
    pairs = [_dimension(node, text) for node in nodes]
    return TensorSpec(
        DTYPES[dtype], tuple(size for size, _ in pairs), tuple(free for _, free in pairs)
    )


def _dimension(node: ast.expr, text: str) -> tuple[int, bool]:
    """Return the size, and whether it may change."""
    match node:
        case ast.Constant(value=int(size)):
            return size, False
        case ast.Name():
            return DEFAULT_SIZE, True
        case ast.Slice(lower=ast.Name(), upper=ast.Constant(value=int(size)), step=None):
            return size, True
    raise _refused(text)


def _refused(text: str) -> PorterError:
    return PorterError("PRT803", f"cannot read the inputs {text!r}", hint=EXAMPLE)
