"""Derive the entries of names that torch spells once more: methods, and updates in place.

`torch.Tensor.hypot` is `torch.hypot` with the receiver first, `x.hypot_(y)` updates `x` by what
`x.hypot(y)` gives. Which names torch has is listed in `[derived]` of `common.toml`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from porter.mapping.schema import Entry, Overload, Sample, Signature

FORMS = ("methods", "inplace", "inplace_cast", "inplace_functions")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
METHOD, FUNCTION = "torch.Tensor.", "torch."


def derive_entries(
    entries: AbstractMapping[str, Entry],
    names: AbstractMapping[str, Sequence[str]],
    hidden: frozenset[str],
) -> dict[str, Entry]:
    """Return the entries that follow from others, by full name; none that the tables give.

    Args:
        names: for each of FORMS, the names below torch or torch.Tensor, without the underscore.
        hidden: parameters that vanish or refuse a call everywhere.
    """
    found: dict[str, Entry] = {}
    spelled_twice: dict[tuple[str, str], str] = {}

    def derive(form: str, base: str, name: str) -> None:
        entry = entries.get(base) or found.get(base)
        if name in entries or entry is None:
            return
        first = spelled_twice.setdefault((form, entry.name), name)
        if first == name:
            found[name] = _derived(form, entry, name, hidden)
            return
        twin = replace(found[first], aliases=(*found[first].aliases, name))
        found.update(dict.fromkeys((first, *twin.aliases), twin))

    for item in names.get("methods", ()):
        derive("methods", FUNCTION + item, METHOD + item)
    for form in ("inplace", "inplace_cast"):
        for item in names.get(form, ()):
            derive(form, METHOD + item, f"{METHOD}{item}_")
    for item in names.get("inplace_functions", ()):
        derive("inplace_functions", f"{METHOD}{item}_", f"{FUNCTION}{item}_")
    return found


def _derived(form: str, entry: Entry, name: str, hidden: frozenset[str]) -> Entry:
    if form == "methods":
        return _moved(entry, name, "self", samples=None)
    if form == "inplace_functions":
        return _moved(entry, name, "input", samples=1)
    return _inplace(entry, name, hidden if form == "inplace_cast" else None)


def _moved(entry: Entry, name: str, first: str, samples: int | None) -> Entry:
    """Return an entry under another name, with another name for its first parameter."""
    kind = "method" if name.startswith(METHOD) else "function"
    chosen = []
    for overload in entry.overloads:
        places = tuple(range(len(overload.samples)))[:samples]
        former = overload.signature.parameters[0].name if overload.signature else ""
        # A method is called on a tensor: the spelling for a number there is proved by no sample.
        number = first == "self" and overload.types.get(former) == "number"
        chosen.append((() if number else places, _receiving(overload, first)))
    return _with_samples(replace(entry, name=name, kind=kind, aliases=()), chosen)


def _receiving(overload: Overload, first: str) -> Overload:
    """Return a spelling whose first parameter has another name; a method takes no `out`."""
    if overload.signature is None:
        return overload
    former, *rest = overload.signature.parameters
    if first == "self":
        rest = [parameter for parameter in rest if parameter.name != "out"]
    changed: dict[str, Any] = {
        "signature": Signature((replace(former, name=first), *rest)),
        "emit": overload.emit and overload.emit.replace(f"{{{former.name}}}", f"{{{first}}}"),
    }
    for field in ("rename", "coerce", "only", "types"):
        table = getattr(overload, field)
        if former.name in table:
            changed[field] = MappingProxyType(
                {first if key == former.name else key: value for key, value in table.items()}
            )
    return replace(overload, **changed)


def _inplace(entry: Entry, name: str, hidden: frozenset[str] | None = None) -> Entry:
    """Return the entry of a method that updates its receiver by the result of another one.

    With `hidden` the result is cast to the dtype of the receiver, which an update keeps.
    """
    chosen = []
    for overload in entry.overloads:
        if hidden is not None and (overload.emit or overload.target):
            text = overload.emit or _as_template(overload, hidden)
            is_call = isinstance(
                ast.parse(_PLACEHOLDER.sub(r"\1", text), mode="eval").body, ast.Call
            )
            cast = f"{text if is_call else f'({text})'}.astype({{self}}.dtype)"
            overload = replace(overload, emit=cast, target=None, defaults=MappingProxyType({}))
        chosen.append((_updating(overload.samples), overload))
    return _with_samples(replace(entry, name=name, aliases=()), chosen)


def _updating(samples: Sequence[Sample]) -> tuple[int, ...]:
    """Return which samples prove an update in place: two, of numbers that every function gives."""
    floating = [
        place
        for place, item in enumerate(samples)
        if item.call.startswith("f") and "dtype=" not in item.call
    ]
    return tuple(floating or range(len(samples)))[:2]


def _as_template(overload: Overload, hidden: frozenset[str]) -> str:
    """Write the call of a target as an expression template."""
    assert overload.target is not None
    assert overload.signature is not None
    parts = []
    for place, parameter in enumerate(overload.signature.parameters):
        renamed = overload.rename.get(parameter.name, parameter.name)
        skipped = parameter.name in (*overload.ignore, *overload.reject, *overload.only)
        if skipped or (parameter.name in hidden and parameter.name not in overload.rename):
            continue
        plain = place < overload.positional
        parts.append(f"{{{parameter.name}}}" if plain else f"{renamed}={{{parameter.name}}}")
    parts += [f"{key}={value}" for key, value in overload.defaults.items()]
    target = re.sub(r"^mindspore\.(ops|nn|mint)\.", r"\1.", overload.target)
    return f"{re.sub(r'^mindspore[.]', 'ms.', target)}({', '.join(parts)})"


def _with_samples(entry: Entry, kept: Sequence[tuple[tuple[int, ...], Overload]]) -> Entry:
    """Return an entry with some samples of each spelling, and limits that name them by place."""
    overloads = []
    places: dict[int, int] = {}
    count = 0
    for indices, overload in kept:
        for index in indices:
            places[count + index] = len(places)
        count += len(overload.samples)
        overloads.append(
            replace(overload, samples=tuple(overload.samples[index] for index in indices))
        )
    limits = tuple(
        replace(limit, samples=tuple(places[i] for i in limit.samples if i in places))
        for limit in entry.limits
        if not limit.samples or any(i in places for i in limit.samples)
    )
    return replace(entry, overloads=tuple(overloads), limits=limits)
