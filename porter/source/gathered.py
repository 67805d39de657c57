"""Gather kinds from all places that give a value, to be read in the next walk of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.source.kinds import NONE, UNKNOWN, Kind, elements, join

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Owner = ast.AST | str
Unit = ast.AST | str


class Gathered:
    """What is known of values by owner and name, from every body that gives one.

    It is read as the walk before found it. A body that is walked again gives anew.
    """

    def __init__(self) -> None:
        self._found: dict[Owner, dict[str, Kind]] = {}
        self._given: dict[Unit, dict[tuple[Owner, str], Kind]] = {}

    def start(self, unit: Unit) -> None:
        """Forget what a body gave when it was last walked."""
        self._given.pop(unit, None)

    def add(self, unit: Unit, key: tuple[Owner, str], kind: Kind) -> None:
        """Add one more kind that a body gives a value."""
        given = self._given.setdefault(unit, {})
        given[key] = join(given[key], kind) if key in given else kind

    def get(self, reads: set[object], key: tuple[Owner, str]) -> Kind:
        """Return what the walk before found, unknown where it found nothing; notes the reading."""
        reads.add(key)
        return self._found.get(key[0], {}).get(key[1], UNKNOWN)

    def of(self, reads: set[object], owner: Owner) -> Iterator[tuple[str, Kind]]:
        """Give all that the walk before found of an owner; notes the reading."""
        reads.add((owner, ""))
        yield from self._found.get(owner, {}).items()

    def settle(self) -> set[object]:
        """Turn to the next walk; returns the keys that changed, of an owner as a whole too."""
        found: dict[Owner, dict[str, Kind]] = {}
        for given in self._given.values():
            for (owner, name), kind in given.items():
                known = found.setdefault(owner, {})
                known[name] = join(known[name], kind) if name in known else kind
        changed: set[object] = set()
        for owner in {*found, *self._found}:
            new, old = found.get(owner, {}), self._found.get(owner, {})
            if new != old:
                changed.add((owner, ""))
                changed |= {(owner, n) for n in {*new, *old} if new.get(n) != old.get(n)}
        self._found = found
        return changed


def given_arguments(
    definition: Definition, call: ast.Call, kinds: dict[ast.AST, Kind], *, bound: bool
) -> list[tuple[str, Kind]]:
    """Return the kinds that a call gives to a function's parameters, by name.

    Args:
        bound: whether the first parameter is the instance or class, which the call does not give.
    """
    arguments = definition.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    names = names[1:] if bound else names
    keywords = {argument.arg for argument in arguments.kwonlyargs} | set(names)
    given: list[tuple[str, Kind]] = []
    left = list(names)
    for part in call.args:
        kind = kinds.get(part, UNKNOWN)
        if isinstance(part, ast.Starred):
            held = elements(kinds.get(part.value, UNKNOWN)) or UNKNOWN
            held = held if held.sure else UNKNOWN
            given += [(name, held) for name in left]
            if arguments.vararg is not None:
                given.append((arguments.vararg.arg, held))
            left = []
        elif left:
            given.append((left.pop(0), kind))
        elif arguments.vararg is not None:
            given.append((arguments.vararg.arg, kind))
    for keyword in call.keywords:
        kind = kinds.get(keyword.value, UNKNOWN)
        if keyword.arg in keywords:
            given.append((keyword.arg, kind))
        elif keyword.arg is not None and arguments.kwarg is not None:
            given.append((arguments.kwarg.arg, kind))
    return [(name, kind) for name, kind in given if kind != NONE or name in names]


def asks_for_tuple(node: ast.Call | None) -> bool:
    """Tell whether a call says `return_dict=False`."""
    return any(
        keyword.arg == "return_dict"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is False
        for keyword in (node.keywords if node is not None else ())
    )
