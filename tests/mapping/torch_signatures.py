"""Find what PyTorch publishes of a function's parameters, and compare a signature with it."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from porter.mapping.schema import Entry, Signature

UNKNOWN = object()
# Python adds these to what the native schemas say.
FACTORY = {
    "out",
    "dtype",
    "device",
    "layout",
    "requires_grad",
    "pin_memory",
    "memory_format",
    "generator",
    "non_blocking",
    "copy",
}
# How the native schemas call the functions of these packages.
PREFIXES = {"torch.fft": "fft_", "torch.linalg": "linalg_"}
# The native schemas have these names for what Python calls otherwise.
RECEIVERS = {"self", "input", "tensor"}


@dataclass(frozen=True)
class Published:
    """One published signature: positional names, and the default of each name that has one."""

    positional: tuple[str, ...]
    names: frozenset[str]
    defaults: dict[str, Any]
    native: bool


def published(entry: Entry) -> list[Published]:
    """Return the signatures that PyTorch publishes for an entry, none where it publishes none."""
    value = torch_object(entry.name)
    if entry.kind == "module" or inspect.isfunction(value):
        found = _inspected(value)
        if found is not None:
            return [found]
    package, _, name = entry.name.rpartition(".")
    prefix = PREFIXES.get(package, "")
    return list(_schemas(f"{prefix}{name}"))


@cache
def torch_object(name: str) -> Any:
    """Return what a full name stands for; AttributeError where there is no such thing."""
    parts = name.split(".")
    # The module itself last: a function may have the name of the module that it comes from.
    for count in (*range(len(parts) - 1, 0, -1), len(parts)):
        try:
            value: Any = importlib.import_module(".".join(parts[:count]))
            for part in parts[count:]:
                value = getattr(value, part)
        except (ImportError, AttributeError):
            continue
        return value
    raise AttributeError(name)


def _inspected(value: Any) -> Published | None:
    parameters = list(inspect.signature(value).parameters.values())
    if any(item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD) for item in parameters):
        return None
    plain = [item for item in parameters if item.kind is not item.KEYWORD_ONLY]
    defaults = {item.name: item.default for item in parameters if item.default is not item.empty}
    return Published(
        tuple(item.name for item in plain),
        frozenset(item.name for item in parameters),
        defaults,
        native=False,
    )


@cache
def _schemas(name: str) -> tuple[Published, ...]:
    return tuple(_native(name))


def _native(name: str) -> Iterator[Published]:
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
        defaults = {
            item.name: item.default_value for item in schema.arguments if item.has_default_value()
        }
        yield Published(
            tuple(item.name for item in schema.arguments if not item.kwarg_only),
            frozenset(item.name for item in schema.arguments),
            defaults,
            native=True,
        )


def disagreement(signature: Signature, torch_signature: Published) -> str:
    """Say in what a table's signature binds a call unlike PyTorch; empty if in nothing.

    A table may know fewer parameters, or ask for one that has a default: a call with others is
    refused then, and not misread.
    """
    for place, parameter in enumerate(signature.positional):
        if parameter.variadic:
            break
        there = torch_signature.positional[place : place + 1]
        if there and _same(parameter.name, there[0], place):
            continue
        if torch_signature.native and parameter.name in FACTORY:
            break
        if not there and parameter.name in torch_signature.names:
            continue  # by name only in PyTorch, which refuses the call that we would take
        return f"parameter {place} is {parameter.name}, in PyTorch {', '.join(there) or 'none'}"
    for parameter in signature.parameters:
        known = torch_signature.defaults.get(parameter.name, UNKNOWN)
        if parameter.name in FACTORY or parameter.variadic:
            continue
        if parameter.name not in torch_signature.names | RECEIVERS:
            return f"PyTorch has no parameter {parameter.name}"
        if parameter.default is None or known is UNKNOWN:
            continue
        if not _equal(_value(parameter.default), known):
            return f"{parameter.name} defaults to {parameter.default}, in PyTorch to {known!r}"
    return ""


def _same(ours: str, theirs: str, place: int) -> bool:
    alike = RECEIVERS if place == 0 else {"self", "input"}
    return ours == theirs or {ours, theirs} <= alike


def _equal(ours: Any, theirs: Any) -> bool:
    """The native schemas write a list for each axis, and an empty one for None."""
    if isinstance(theirs, list):
        if not theirs:
            return ours in (None, ())
        return ours == tuple(theirs) or all(item == ours for item in theirs)
    return bool(ours == theirs)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return torch_object(text) if "." in text else text
