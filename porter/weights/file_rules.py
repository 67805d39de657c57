"""Carry the names of a checkpoint to those of the torch module, by rules that its owner writes.

A rules file is TOML: a list of `[[rule]]` tables, carried out in their order, each on what those
before it gave. Regular expressions are Python's; `rename` replaces whole parts of a name between
dots, the others must match a name as a whole.

    [[rule]]
    rename = 'layers\\.(\\d+)'            # h.\\1 for layers.3 in any name
    to = 'h.\\1'

    [[rule]]
    split = '(.*)\\.qkv\\.(weight|bias)'   # one tensor becomes several
    to = ['\\1.q.\\2', '\\1.k.\\2', '\\1.v.\\2']
    axis = 0                            # sizes = [4, 1, 1], groups = 12: the other options

    [[rule]]
    fuse = ['(.*)\\.q\\.weight', '(.*)\\.k\\.weight']
    to = '\\1.qk.weight'

    [[rule]]
    transform = '.*\\.c_attn\\.weight'
    by = 'permute:1,0'

    [[rule]]
    drop = '.*\\.rotary\\.inv_freq'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.types import PorterError, Position
from porter.weights.transforms import Transform, parse_transform
from porter.weights.values import Joined, Part, Taken, Transformed, Value

KINDS = {
    "rename": {"to"},
    "split": {"to", "axis", "sizes", "groups"},
    "fuse": {"to", "axis", "groups"},
    "transform": {"by"},
    "drop": set[str](),
}
Values = dict[str, Value]
NOWHERE = Position("")


@dataclass(frozen=True, slots=True)
class FileRule:
    """One rule of a file: what it does, the names that it takes, and what it makes of them."""

    kind: str
    patterns: tuple[re.Pattern[str], ...]
    targets: tuple[str, ...]
    axis: int = 0
    sizes: tuple[int, ...] = ()
    groups: int = 1
    transform: Transform | None = None
    position: Position = NOWHERE
    texts: tuple[str, ...] = ()
    """The patterns as they are written in the file."""

    def __str__(self) -> str:
        return f"{self.kind} {' and '.join(map(repr, self.texts))}"

    def to_json(self) -> dict[str, Any]:
        """Return the rule as plain JSON data."""
        return {
            self.kind: list(self.texts),
            "to": list(self.targets),
            "axis": self.axis,
            "sizes": list(self.sizes),
            "groups": self.groups,
            "by": str(self.transform) if self.transform else None,
        }

    def apply(self, values: Values) -> tuple[Values, list[str]]:
        """Return the values by their new names, and the names that the rule took.

        Raises PorterError (PRT703) where two tensors would get one name, or parts are missing.
        """
        return _APPLY[self.kind](self, values)


def read_rules(path: Path) -> tuple[FileRule, ...]:
    """Read a rules file; raises PorterError: PRT701 where that fails, PRT703 for a rule."""
    position = Position(str(path))
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise PorterError("PRT701", f"cannot read it: {reason}", position=position) from error
    except (ValueError, RecursionError) as error:
        raise PorterError("PRT701", f"not TOML: {error}", position=position) from error
    tables = document.pop("rule", [])
    if document or not isinstance(tables, list) or not tables:
        raise PorterError("PRT703", "a rules file is a list of [[rule]] tables", position=position)
    return tuple(_Reader(table, number, position).read() for number, table in enumerate(tables, 1))


class _Reader:
    """Read one table; every complaint names it by its number."""

    def __init__(self, table: Any, number: int, position: Position) -> None:
        self.table = table if isinstance(table, dict) else {}
        self.number = number
        self.position = position

    def read(self) -> FileRule:
        kinds = [kind for kind in KINDS if kind in self.table]
        if len(kinds) != 1:
            raise self.error(f"says not one of {', '.join(KINDS)}")
        kind = kinds[0]
        unknown = sorted(set(self.table) - KINDS[kind] - {kind})
        if unknown:
            raise self.error(f"has an unknown field {unknown[0]!r}")
        patterns = self.texts(kind, many=kind == "fuse")
        targets = self.texts("to", many=kind == "split") if "to" in KINDS[kind] else ()
        sizes = self.sizes(len(targets)) if kind == "split" else ()
        by = self.texts("by", many=False)[0] if kind == "transform" else None
        compiled = tuple(self.compile(text, kind) for text in patterns)
        for target in targets:
            for pattern in compiled:
                self.check_template(pattern, target)
        return FileRule(
            kind,
            compiled,
            targets,
            self.number_of("axis", 0, 0),
            sizes,
            self.number_of("groups", 1, 1),
            parse_transform(by) if by is not None else None,
            self.position,
            patterns,
        )

    def texts(self, field: str, many: bool) -> tuple[str, ...]:
        value = self.table.get(field)
        items = value if many and isinstance(value, list) else [value]
        if not all(isinstance(item, str) and item for item in items) or (many and len(items) < 2):
            raise self.error(f"needs {'a list of texts' if many else 'a text'} as {field!r}")
        return tuple(items)

    def number_of(self, field: str, default: int, least: int) -> int:
        value = self.table.get(field, default)
        if type(value) is not int or value < least:
            raise self.error(f"needs a whole number from {least} on as {field!r}")
        return value

    def sizes(self, count: int) -> tuple[int, ...]:
        value = self.table.get("sizes", [1] * count)
        if not isinstance(value, list) or len(value) != count:
            raise self.error("needs as many sizes as names in 'to'")
        if not all(type(item) is int and item > 0 for item in value):
            raise self.error("needs sizes that are whole numbers above 0")
        return tuple(value)

    def compile(self, text: str, kind: str) -> re.Pattern[str]:
        # A rename stands between dots, so that `layer` does not take a part of `layers`.
        bounded = rf"(?:(?<=\.)|(?<![\s\S]))(?:{text})(?=\.|\Z)" if kind == "rename" else text
        try:
            re.compile(text)
            return re.compile(bounded)
        except (re.error, RecursionError, OverflowError) as error:
            raise self.error(f"has no regular expression: {text!r}: {error}") from error

    def check_template(self, pattern: re.Pattern[str], target: str) -> None:
        try:
            pattern.sub(target, "")  # reads the template, though nothing matches
        except (re.error, IndexError) as error:
            raise self.error(f"makes no name of {target!r}: {error}") from error

    def error(self, reason: str) -> PorterError:
        return PorterError("PRT703", f"rule {self.number} {reason}", position=self.position)


def _rename(rule: FileRule, values: Values) -> tuple[Values, list[str]]:
    found: Values = {}
    taken = []
    for name, value in values.items():
        new, count = rule.patterns[0].subn(rule.targets[0], name)
        if count:
            taken.append(name)
        _add(rule, found, new, value)
    return found, taken


def _split(rule: FileRule, values: Values) -> tuple[Values, list[str]]:
    found: Values = {}
    taken = []
    for name, value in values.items():
        match = rule.patterns[0].fullmatch(name)
        if match is None:
            _add(rule, found, name, value)
            continue
        taken.append(name)
        for index, target in enumerate(rule.targets):
            part = Part(rule.axis, index, rule.sizes, rule.groups)
            _add(rule, found, match.expand(target), Taken(value, part))
    return found, taken


def _fuse(rule: FileRule, values: Values) -> tuple[Values, list[str]]:
    found: Values = {}
    parts: dict[str, dict[int, tuple[str, Value]]] = {}
    for name, value in values.items():
        for index, pattern in enumerate(rule.patterns):
            match = pattern.fullmatch(name)
            if match is not None:
                group = parts.setdefault(match.expand(rule.targets[0]), {})
                if index in group:
                    other = group[index][0]
                    raise _clash(rule, f"both {other} and {name} are its part {index + 1}")
                group[index] = (name, value)
                break
        else:
            _add(rule, found, name, value)
    taken: list[str] = []
    for target, group in parts.items():
        if len(group) != len(rule.patterns):
            missing = next(i for i in range(len(rule.patterns)) if i not in group)
            raise _clash(rule, f"{target} lacks its part {missing + 1}")
        ordered = [group[index] for index in range(len(group))]
        taken.extend(name for name, _ in ordered)
        inner = tuple(value for _, value in ordered)
        _add(rule, found, target, Joined(inner, rule.axis, rule.groups))
    return found, taken


def _transform(rule: FileRule, values: Values) -> tuple[Values, list[str]]:
    assert rule.transform is not None
    taken = [name for name in values if rule.patterns[0].fullmatch(name)]
    changed = {name: Transformed(values[name], rule.transform) for name in taken}
    return {**values, **changed}, taken


def _drop(rule: FileRule, values: Values) -> tuple[Values, list[str]]:
    taken = [name for name in values if rule.patterns[0].fullmatch(name)]
    return {name: value for name, value in values.items() if name not in set(taken)}, taken


_APPLY: dict[str, Callable[[FileRule, Values], tuple[Values, list[str]]]] = {
    "rename": _rename,
    "split": _split,
    "fuse": _fuse,
    "transform": _transform,
    "drop": _drop,
}


def _add(rule: FileRule, values: Values, name: str, value: Value) -> None:
    if name in values:
        one, two = " and ".join(values[name].sources), " and ".join(value.sources)
        raise _clash(rule, f"{one} and {two} both become {name}")
    values[name] = value


def _clash(rule: FileRule, reason: str) -> PorterError:
    return PorterError("PRT703", f"the rule {rule}: {reason}", position=rule.position)
