"""Bind the names that a star import of the source's own package or folder brings."""

from __future__ import annotations

import ast

from porter.source.names import Names, absolute, analyse_names
from porter.source.read import SourceModule, find_module, is_lone, locate_module, read_module
from porter.types import PorterError


def bind_stars(names: Names) -> None:
    """Bind what star imports bring as if it were imported by name; others stay as they are."""
    for node in list(names.star_imports):
        base = absolute(names.module, node)
        brought = star_names(base, names.module, (names.module.name,))
        if brought is None:
            continue
        names.star_imports.remove(node)
        names.stars[base] = brought
        for name, origin in brought.items():
            if name not in names.top.bound:
                names.top.imports.setdefault(name, origin)


def star_names(base: str, origin: SourceModule, seen: tuple[str, ...]) -> dict[str, str] | None:
    """Return the names that `from base import *` brings with their origins; None if not readable.

    Only modules of the source's own package, and files beside a lone file, are read.
    """
    if is_lone(origin):
        own = locate_beside(base, origin)
    else:
        own = base.partition(".")[0] == origin.name.partition(".")[0]
    module = load_module(base, origin) if own and base not in seen else None
    if module is None:
        return None
    names = analyse_names(module)
    found: dict[str, str] = {}
    for node in names.star_imports:
        inner = absolute(module, node)
        more = star_names(inner, origin, (*seen, base))
        if more is None:
            return None
        found |= more
    found |= names.top.imports
    found |= {name: f"{base}.{name}" for name in names.top.bound}
    public = _listed(module.tree)
    if public is None:
        return {name: place for name, place in found.items() if not name.startswith("_")}
    return {name: found.get(name, f"{base}.{name}") for name in public}


def load_module(place: str, origin: SourceModule) -> SourceModule | None:
    """Read a module: of a lone file's folder, or installed; None where there is none to read."""
    try:
        if is_lone(origin) and locate_beside(place, origin):
            return read_module(origin.path.parent / f"{place}.py", place)
        return find_module(place) if locate_module(place) is not None else None
    except PorterError:
        return None


def locate_beside(place: str, origin: SourceModule) -> bool:
    """Tell whether a module is a file beside a lone file."""
    return bool(place) and (origin.path.parent / f"{place}.py").is_file()


def _listed(tree: ast.Module) -> list[str] | None:
    """Return `__all__` where it is a plain list of strings."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            try:
                return [str(name) for name in ast.literal_eval(node.value)]
            except (ValueError, TypeError, SyntaxError):
                return None
    return None
