"""Add to a program the modules of its own package that its definitions need."""

from __future__ import annotations

import ast
from pathlib import Path

from porter.source.names import absolute
from porter.source.program import Program
from porter.source.read import SourceModule, find_module, locate_module, read_module
from porter.types import PorterError

MAPPED_ROOTS = ("torch",)


def follow(program: Program, qualified: str, origin: SourceModule) -> bool:
    """Load the module that defines an imported name of the source's own package.

    Only code that needs porting is followed: modules that use torch or a mapped name. Plain Python,
    such as configuration classes, stays an import of the original package. A lone file has no
    package to import from: whatever it needs of the files beside it comes along.

    Returns:
        whether the name is now defined in the program, under its own name or through an alias.
    """
    place, name = _owner(qualified, origin)
    if place is None:
        return False
    seen = set()
    while (place, name) not in seen:
        seen.add((place, name))
        names = program.names.get(place)
        module = names.module if names is not None else _load(place, origin)
        if module is None:
            return False
        if _defines(module, name):
            if names is None and not (is_lone(origin) or needs_port(program, module)):
                return False
            if names is None:
                program.add(module)
            if f"{place}.{name}" != qualified:
                program.aliases[qualified] = f"{place}.{name}"
            return program.defined(f"{place}.{name}")
        forward = _reexport(module, name)
        if forward is None:
            return False
        place, name = forward
    return False


def is_lone(module: SourceModule) -> bool:
    """Tell whether a module is a file that belongs to no package."""
    return "." not in module.name and not module.is_package


def follow_siblings(program: Program, origin: SourceModule) -> None:
    """Load the files beside a lone file that it imports from, and those that they import from."""
    queue = [origin.name]
    while queue:
        known = set(program.names)
        for qualified in program.names[queue.pop()].top.imports.values():
            if program.mapping.find(qualified) is None:
                follow(program, qualified, origin)
        queue += program.names.keys() - known


def _owner(qualified: str, origin: SourceModule) -> tuple[str | None, str]:
    place, _, name = qualified.rpartition(".")
    root = origin.name.partition(".")[0]
    if not is_lone(origin):
        return (place, name) if place.partition(".")[0] == root else (None, name)
    sibling = origin.path.parent / f"{place}.py"
    return (place, name) if place and sibling.is_file() else (None, name)


def _load(place: str, origin: SourceModule) -> SourceModule | None:
    try:
        if is_lone(origin):
            path = Path(origin.path.parent / f"{place}.py")
            return read_module(path, place) if path.is_file() else None
        return find_module(place) if locate_module(place) is not None else None
    except PorterError:
        return None


def _defines(module: SourceModule, name: str) -> bool:
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return True
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            return True
    return False


def _reexport(module: SourceModule, name: str) -> tuple[str, str] | None:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return absolute(module, node), alias.name
    return None


def needs_port(program: Program, module: SourceModule) -> bool:
    """Tell whether a module imports torch or anything that the table maps."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            if any(alias.name.partition(".")[0] in MAPPED_ROOTS for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node)
            if base.partition(".")[0] in MAPPED_ROOTS:
                return True
            if any(_mapped_class(program, f"{base}.{alias.name}") for alias in node.names):
                return True
    return False


def _mapped_class(program: Program, name: str) -> bool:
    entry = program.mapping.find(name)
    return entry is not None and entry.kind in ("class", "module")


def follow_reexports(program: Program) -> None:
    """Lead imports of a name that a module of the program only passes on to its definition."""
    for names in list(program.names.values()):
        for origin in names.top.imports.values():
            place = origin.rpartition(".")[0]
            if place in program.names and not program.defined(origin):
                follow(program, origin, names.module)
