"""Flatten what a model returns into named leaves, and keep them in files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from porter.weights.dtypes import Array

ROOT = "output"
"""The name of the leaf where the whole output is one tensor."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf of an output: a tensor, a plain value, None, or an object that cannot be compared.

    `dtype` is the framework's name of it without prefix, since NumPy has no bfloat16. `value` holds
    the plain value, or the type name of an object.
    """

    path: tuple[str | int, ...]
    kind: str
    dtype: str = ""
    array: Array | None = None
    value: Any = None

    @property
    def name(self) -> str:
        """The path in one string, such as "hidden_states.0"."""
        return ".".join(str(part) for part in self.path) or ROOT


ReadTensor = Callable[[Any], tuple[Array, str] | None]
"""Return the values and the dtype's name of a tensor, None for anything else."""


def flatten(output: Any, read_tensor: ReadTensor) -> dict[str, Leaf]:
    """Return the leaves of `output` by name, in order.

    A field that is None is left out of a named output and of a dict, where it means "not there"; in
    a tuple or a list it is a leaf, because the places behind it count.
    """
    return {leaf.name: leaf for leaf in _walk(output, (), read_tensor)}


def _walk(value: Any, path: tuple[str | int, ...], read_tensor: ReadTensor) -> Iterator[Leaf]:
    tensor = read_tensor(value)
    if tensor is not None:
        yield Leaf(path, "tensor", tensor[1], tensor[0])
    elif value is None:
        yield Leaf(path, "none")
    elif isinstance(value, bool | int | float | str):
        yield Leaf(path, "value", type(value).__name__, None, value)
    elif (named := _named(value)) is not None:
        for key, item in named:
            if item is not None:
                yield from _walk(item, (*path, key), read_tensor)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _walk(item, (*path, index), read_tensor)
    else:
        yield Leaf(path, "object", "", None, type(value).__name__)


def _named(value: Any) -> list[tuple[str, Any]] | None:
    if hasattr(value, "keys") and hasattr(value, "items"):
        return [(str(key), item) for key, item in value.items()]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return list(zip(value._fields, value, strict=True))
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    return None


def ignored(name: str, names: tuple[str, ...]) -> bool:
    """Tell whether the leaf `name`, or a part of the output that holds it, is among `names`.

    `*.cache` stands for what is called so at any depth.
    """
    return any(
        f".{other[2:]}." in f".{name}."
        if other.startswith("*.")
        else f"{name}.".startswith(f"{other}.")
        for other in names
    )


def save_leaves(path: Path, leaves: dict[str, Leaf]) -> None:
    """Write leaves to `path` (.npz for the arrays) with a .json beside it for the rest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = {
        str(index): leaf.array
        for index, leaf in enumerate(leaves.values())
        if leaf.array is not None
    }
    np.savez(path, **tensors)  #
    rows = [[list(leaf.path), leaf.kind, leaf.dtype, leaf.value] for leaf in leaves.values()]
    path.with_suffix(".json").write_text(json.dumps(rows))


def load_leaves(path: Path) -> dict[str, Leaf]:
    """Read leaves as `save_leaves` wrote them."""
    rows = json.loads(path.with_suffix(".json").read_text())
    leaves = {}
    with np.load(path) as arrays:
        for index, (parts, kind, dtype, value) in enumerate(rows):
            array = arrays[str(index)] if kind == "tensor" else None
            leaf = Leaf(tuple(parts), kind, dtype, array, value)
            leaves[leaf.name] = leaf
    return leaves
