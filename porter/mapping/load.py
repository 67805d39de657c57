"""Read mappings/*.toml into one table; refuse unknown fields, duplicates and contradictions."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from porter.mapping.derive import FORMS, derive_entries
from porter.mapping.schema import (
    COERCIONS,
    COMPARISONS,
    DIFFERENCES,
    KINDS,
    Entry,
    Limit,
    Overload,
    Raised,
    Sample,
    Signature,
)
from porter.types import PorterError, Position

OVERLOAD_FIELDS = frozenset(item.name for item in fields(Overload))
ENTRY_FIELDS = frozenset(item.name for item in fields(Entry)) - {"name", "source"}
KNOWN_FIELDS = OVERLOAD_FIELDS | ENTRY_FIELDS
WAYS = ("target", "emit", "drop", "manual")
NEEDS_SIGNATURE = ("function", "method", "module")


@dataclass(frozen=True, slots=True)
class Mapping:
    """The whole table: entries by full torch name, and arguments treated alike everywhere."""

    entries: MappingProxyType[str, Entry]
    ignored: frozenset[str]
    rejected: frozenset[str]
    external: tuple[str, ...] = ()
    followed: tuple[str, ...] = ()
    derived: MappingProxyType[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    dtypes: MappingProxyType[str, str] = field(default_factory=lambda: MappingProxyType({}))
    absent: frozenset[str] = frozenset()

    def dtype_rule(self, name: str) -> str | None:
        """Return by which rule the dtype of what a torch function gives is known."""
        if not name.startswith("torch.") or name.startswith("torch.nn.init."):
            return None
        return self.dtypes.get(name.rpartition(".")[2].removesuffix("_"))

    def is_external(self, name: str) -> bool:
        """Tell whether a name belongs to a package that is mapped and never ported along."""
        return _depth(name, self.external) > _depth(name, self.followed)

    def is_followed(self, name: str) -> bool:
        """Tell whether a name belongs to modules that are ported along, whoever imports them."""
        return _depth(name, self.followed) > _depth(name, self.external)

    def find(self, name: str) -> Entry | None:
        """Return the entry of a full torch name, a `package.module.*` entry included."""
        entry = self.entries.get(name)
        if entry is None and "." in name:
            return self.entries.get(f"{name.rpartition('.')[0]}.*")
        return entry

    def has_below(self, name: str) -> bool:
        """Tell whether any entry belongs to a module of that name."""
        return any(entry.startswith(f"{name}.") for entry in self.entries)

    def method(self, name: str) -> Entry | None:
        """Return the entry of a torch.Tensor method or attribute."""
        return self.entries.get(f"torch.Tensor.{name}")


def _depth(name: str, prefixes: tuple[str, ...]) -> int:
    """Return the length of the longest prefix that a dotted name begins with, 0 for none."""
    found = (len(item) for item in prefixes if f"{name}.".startswith(f"{item}."))
    return max(found, default=0)


def default_directory() -> Path:
    """Return the folder of the tables: the packaged copy, else that of the checkout."""
    packaged = Path(__file__).resolve().parent.parent / "_mappings"
    return packaged if packaged.is_dir() else packaged.parent.parent / "mappings"


def load_mappings(directory: Path | None = None) -> Mapping:
    """Return the table of porter, with the entries of `directory` laid over it.

    Raises:
        PorterError: PRT901 when a file cannot be read or an entry is not well formed.
    """
    if directory is not None and not directory.is_dir():
        raise PorterError("PRT901", f"no such folder of mappings: {directory}")
    return _complete(default_directory(), directory)


@lru_cache(maxsize=8)
def _complete(base_directory: Path, directory: Path | None) -> Mapping:
    """Return the tables of one folder, or of two laid over each other, and what follows from them.

    What follows from an entry follows from the one that is laid over it.
    """
    base = read_tables(base_directory)
    if directory is not None:
        extra = read_tables(directory)
        base = Mapping(
            MappingProxyType({**base.entries, **extra.entries}),
            base.ignored | extra.ignored,
            base.rejected | extra.rejected,
            base.external + extra.external,
            base.followed + extra.followed,
            base.derived,
            base.dtypes,
            base.absent | extra.absent,
        )
    entries = derive_entries(base.entries, base.derived, base.ignored | base.rejected)
    return replace(base, entries=MappingProxyType({**base.entries, **entries}))


def read_tables(directory: Path) -> Mapping:
    """Return what the tables of a folder say, without what follows from it."""
    entries: dict[str, Entry] = {}
    ignored: set[str] = set()
    rejected: set[str] = set()
    external: list[str] = []
    followed: list[str] = []
    derived: dict[str, tuple[str, ...]] = {}
    dtypes: dict[str, str] = {}
    absent: set[str] = set()
    for path in sorted(directory.glob("*.toml")):
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise PorterError(
                "PRT901", f"not a readable TOML file: {error}", position=Position(str(path))
            ) from error
        if path.name == "common.toml":
            ignored.update(data.get("ignore", {}))
            rejected.update(data.get("reject", {}))
            external += data.get("external", {})
            followed += data.get("followed", {})
            absent.update(data.get("absent", {}))
            derived = {form: tuple(data.get("derived", {}).get(form, ())) for form in FORMS}
            for rule, names in data.get("dtypes", {}).items():
                dtypes.update(dict.fromkeys(names, rule))
            continue
        for name, table in data.items():
            entry = _entry(name, table, path)
            for key in (name, *entry.aliases):
                if key in entries:
                    _fail(path, key, f"is already given in {entries[key].source}")
                entries[key] = entry
    return Mapping(
        MappingProxyType(entries),
        frozenset(ignored),
        frozenset(rejected),
        tuple(external),
        tuple(followed),
        MappingProxyType(derived),
        MappingProxyType(dtypes),
        frozenset(absent),
    )


def _fail(path: Path, name: str, message: str) -> None:
    raise PorterError("PRT901", f'["{name}"] {message}', position=Position(str(path)))


def _entry(name: str, table: Any, path: Path) -> Entry:
    if not isinstance(table, dict):
        _fail(path, name, "is not a table")
    unknown = sorted(set(table) - KNOWN_FIELDS)
    if unknown:
        _fail(path, name, f"has unknown fields: {', '.join(unknown)}")
    kind = table.get("kind", "method" if name.startswith("torch.Tensor.") else "function")
    if kind not in KINDS:
        _fail(path, name, f"has an unknown kind {kind!r}; one of {', '.join(KINDS)}")
    difference = table.get("difference")
    if difference not in DIFFERENCES:
        _fail(path, name, f"needs difference, one of {', '.join(DIFFERENCES)}")
    if table.get("compare", "close") not in COMPARISONS:
        _fail(path, name, f"has an unknown compare; one of {', '.join(COMPARISONS)}")
    if difference not in ("same", "names") and not table.get("notes") and "manual" not in table:
        _fail(path, name, "needs notes, since it is neither same nor names")
    own = {key: value for key, value in table.items() if key in OVERLOAD_FIELDS}
    given = table.get("overloads")
    if given is None:
        given = [] if "manual" in table else [own]
        shared: dict[str, Any] = {}
    else:
        shared = own
    overloads = tuple(_overload({**shared, **item}, name, kind, path) for item in given)
    raised = table.get("finding")
    return Entry(
        name=name,
        kind=kind,
        source=path.name,
        overloads=overloads,
        difference=str(difference),
        manual=table.get("manual"),
        graph_manual=table.get("graph_manual"),
        notes=table.get("notes", ""),
        graph_only=table.get("graph_only", False),
        shares=table.get("shares", False),
        state=tuple(table.get("state", ())),
        base=table.get("base"),
        passed_on=table.get("passed_on", table.get("base")),
        contents=table.get("contents"),
        graph_target=table.get("graph_target"),
        config_defaults=tuple(table.get("config_defaults", ())),
        attributes=MappingProxyType(table.get("attributes", {})),
        nan_differs=table.get("nan_differs", False),
        finding=Raised(**raised) if raised else None,
        weights=MappingProxyType(table.get("weights", {})),
        transforms=MappingProxyType(table.get("transforms", {})),
        settable=MappingProxyType(table.get("settable", {})),
        limits=tuple(_limit(item) for item in table.get("limits", [])),
        compare=table.get("compare", "close"),
        tolerance=MappingProxyType(table.get("tolerance", {})),
        drop_attributes=tuple(table.get("drop_attributes", ())),
        drop_methods=tuple(table.get("drop_methods", ())),
        cases=tuple(table.get("cases", ())),
        aliases=tuple(table.get("aliases", ())),
    )


def _limit(item: dict[str, Any]) -> Limit:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in item.items()
    }
    return Limit(**values)


def _overload(table: dict[str, Any], name: str, kind: str, path: Path) -> Overload:
    ways = [way for way in WAYS if table.get(way)]
    if len(ways) > 1:
        _fail(path, name, f"says more than one way: {', '.join(ways)}")
    if not ways:
        _fail(path, name, f"says no way; one of {', '.join(WAYS)}")
    signature = None
    if "signature" in table:
        try:
            signature = Signature.parse(table["signature"])
        except (SyntaxError, ValueError) as error:
            _fail(path, name, f"has no readable signature: {error}")
    elif kind in NEEDS_SIGNATURE and not table.get("drop"):
        _fail(path, name, "needs a signature")
    if signature is not None:
        for item in ("rename", "coerce", "only", "types", "ignore", "reject"):
            for parameter in table.get(item, ()):
                if parameter not in signature:
                    _fail(path, name, f"{item} names {parameter!r}, which the signature has not")
        for placeholder in re.findall(r"\{(\w+)\}", table.get("emit", "")):
            if placeholder not in signature and placeholder != signature.options:
                _fail(path, name, f"emit names {placeholder!r}, which the signature has not")
    for coercion in table.get("coerce", {}).values():
        if coercion not in COERCIONS:
            _fail(path, name, f"has an unknown coercion {coercion!r}")
    values = dict(table)
    values["signature"] = signature
    values["samples"] = tuple(
        Sample(call=item) if isinstance(item, str) else Sample(**item)
        for item in table.get("samples", ())
    )
    for item in ("ignore", "reject", "fields"):
        values[item] = tuple(table.get(item, ()))
    values["only"] = MappingProxyType(
        {key: tuple(value) for key, value in table.get("only", {}).items()}
    )
    for item in ("rename", "defaults", "coerce", "types"):
        values[item] = MappingProxyType(table.get(item, {}))
    return Overload(**values)
