"""Turn the module entries of the mapping around: a Cell's class tells its tensors' torch names."""

from __future__ import annotations

import importlib
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from typing import Any

from porter.mapping.load import Mapping
from porter.mapping.schema import Entry
from porter.types import PorterError
from porter.weights.transforms import IDENTITY, Transform, parse_transform
from porter.weights.values import Part


@dataclass(frozen=True, slots=True)
class Made:
    """The torch tensors that a Cell's tensor is made of: joined at `axis`, or one `part` of one."""

    names: tuple[str, ...]
    axis: int = 0
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class ModuleRule:
    """What differs between a torch module's tensors and those of the Cell it becomes.

    `names` maps a local name of the Cell to the one in torch, `transforms` is keyed by the Cell's
    local name. What neither names is called and laid out alike. `dropped` holds torch names that
    the Cell does not need.
    """

    entry: str
    names: AbstractMapping[str, str]
    transforms: AbstractMapping[str, Transform]
    dropped: frozenset[str]
    made: AbstractMapping[str, Made] = field(default_factory=dict)
    """A local name of the Cell to what it is made of, where it is not one whole tensor."""

    def covers(self, local: str) -> bool:
        """Tell whether the tensor called `local` in the Cell differs in name or layout."""
        return local in self.names or local in self.transforms or local in self.made

    def agrees(self, other: ModuleRule) -> bool:
        """Tell whether two entries of one MindSpore class say the same."""
        return (self.names, self.transforms, self.dropped, self.made) == (
            other.names,
            other.transforms,
            other.dropped,
            other.made,
        )


class RuleTable:
    """Find the rule of a Cell by its class, or by the nearest base class that has one."""

    def __init__(self, mapping: Mapping) -> None:
        """Read every module entry; raises PorterError (PRT901) for an unknown transform."""
        self._rules: dict[object, list[ModuleRule]] = {}
        for entry in _module_entries(mapping):
            rule = read_rule(entry)
            for target in dict.fromkeys(overload.target for overload in entry.overloads):
                key = _class_key(target) if target else None
                if isinstance(key, str):
                    # An entry's transforms are for MindSpore's own layer; the runtime's Cells have
                    # torch's layout.
                    self._rules.setdefault(key, []).append(
                        ModuleRule(rule.entry, rule.names, {}, rule.dropped, rule.made)
                    )
                elif key is not None:
                    self._rules.setdefault(key, []).append(rule)

    def find(self, cell: object) -> ModuleRule | None:
        """Return the rule of a Cell, or None where all its tensors are called as in torch.

        Raises PorterError (PRT901) where two torch modules become this class by different rules:
        the Cell no longer says which of them it was.
        """
        for base in type(cell).__mro__:
            rules = self._rules.get(base) or self._rules.get(_runtime_key(base))
            if not rules:
                continue
            for other in rules[1:]:
                if not other.agrees(rules[0]):
                    raise PorterError(
                        "PRT901",
                        f"{rules[0].entry} and {other.entry} both become {base.__name__}, "
                        "with different weights or transforms",
                        hint="give one of them a class of its own as target",
                    )
            return rules[0]
        return None


def read_rule(entry: Entry) -> ModuleRule:
    """Return the rule of an entry; raises PorterError (PRT901) where it contradicts itself."""
    names = {cell: torch for torch, cell in entry.weights.items() if cell and cell != torch}
    kept = [cell for cell in entry.weights.values() if cell]
    if len(set(kept)) != len(kept):
        raise PorterError("PRT901", f'["{entry.name}"] weights name one Cell parameter twice')
    made: dict[str, Made] = {}
    transforms = {}
    for torch, text in entry.transforms.items():
        if text.startswith(("split:", "fuse:")):
            made.update(_read_made(entry.name, torch, text))
        else:
            transforms[entry.weights.get(torch, torch)] = parse_transform(text)
    return ModuleRule(
        entry.name,
        names,
        {name: transform for name, transform in transforms.items() if transform != IDENTITY},
        frozenset(torch for torch, cell in entry.weights.items() if not cell),
        made,
    )


def _read_made(entry: str, torch: str, text: str) -> dict[str, Made]:
    """Read `split:AXIS:CELL,CELL` of one torch tensor, or `fuse:AXIS:CELL` of several.

    Raises PorterError (PRT901) for another form.
    """
    kind, _, rest = text.partition(":")
    axis, _, cells = rest.partition(":")
    sources, targets = tuple(torch.split(",")), tuple(cells.split(","))
    one, many = (sources, targets) if kind == "split" else (targets, sources)
    if not axis.isdecimal() or len(one) != 1 or len(set(many)) < 2 or not all((*one, *many)):
        raise PorterError(
            "PRT901",
            f'["{entry}"] has the transform {torch} = {text!r}',
            hint='"qkv" = "split:0:q,k,v" or "q,k,v" = "fuse:0:qkv"',
        )
    if kind == "fuse":
        return {targets[0]: Made(sources, int(axis))}
    equal = (1,) * len(targets)
    return {
        target: Made(sources, part=Part(int(axis), index, equal))
        for index, target in enumerate(targets)
    }


def _module_entries(mapping: Mapping) -> list[Entry]:
    """Return the module entries, each once: an alias is the same entry under another name."""
    found = {entry.name: entry for entry in mapping.entries.values() if entry.kind == "module"}
    return list(found.values())


def _class_key(target: str) -> object:
    """Return what a target's class is found by: the class itself, or its place in a port's runtime.

    A port carries its own copy of porter.runtime, so those classes are known by name alone.
    """
    if target.startswith("runtime."):
        return target
    module, _, name = target.rpartition(".")
    found: Any = None
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None  # another MindSpore version; no Cell can be of this class
    return found if isinstance(found, type) else None


def _runtime_key(base: type) -> str | None:
    _, separator, module = f".{base.__module__}".rpartition(".runtime.")
    return f"runtime.{module}.{base.__qualname__}" if separator else None
