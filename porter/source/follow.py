"""Add to a program the modules of its own package that its definitions need."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace

from porter.source.names import absolute, analyse_names
from porter.source.program import Program
from porter.source.read import (
    Source,
    SourceModule,
    find_module,
    is_installed,
    is_lone,
    locate_module,
)
from porter.source.stars import load_module, locate_beside, star_names
from porter.source.top_level import assigned_names, top_level
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
    place, name = _owner(program, qualified, origin)
    if place is None:
        return False
    seen = set()
    while (place, name) not in seen:
        seen.add((place, name))
        names = program.names.get(place)
        module = names.module if names is not None else load_module(place, origin)
        if module is None:
            # `compat.nn.Module`, where compat only passes torch.nn on.
            outer = place.rpartition(".")[0]
            return bool(outer) and len(seen) == 1 and follow(program, place, origin)
        if _defines(module, name, program):
            if names is None and not _comes_along(program, module, origin):
                return False
            if names is None:
                program.add(module)
            if f"{place}.{name}" != qualified:
                program.aliases[qualified] = f"{place}.{name}"
            return program.defined(f"{place}.{name}")
        forward = _reexport(module, name, origin)
        if forward is None:
            return False
        place, name = forward
        mapped = program.mapping.find(f"{place}.{name}") is not None
        if mapped or place.partition(".")[0] in MAPPED_ROOTS:
            program.pass_on(qualified, f"{place}.{name}")
            return False
    return False


def with_class(source: Source) -> Source:
    """Return the source that defines the wanted class, where a module only passes it on.

    Raises PorterError PRT006 where there is no such class.
    """
    if source.class_name is None:
        return source
    module = _defining(source.modules[0], source.class_name)
    if module is None:
        first = source.modules[0]
        names = [node.name for node in first.tree.body if isinstance(node, ast.ClassDef)]
        close = ", ".join(names[:8]) or "none"
        raise PorterError(
            "PRT006",
            f"no class {source.class_name!r} in {first.display}",
            hint=f"classes there: {close}",
        )
    return source if module is source.modules[0] else replace(source, modules=(module,))


def _defining(module: SourceModule, name: str) -> SourceModule | None:
    """Return the module of the same package that defines a class which a module imports."""
    top, origin = module.name.partition(".")[0], module
    seen: set[str] = set()
    while module.name not in seen:
        seen.add(module.name)
        if any(isinstance(node, ast.ClassDef) and node.name == name for node in module.tree.body):
            return module
        forward = _reexport(module, name, origin)
        # A class under another name is not what the recipe builds.
        if forward is None or forward[1] != name or forward[0].partition(".")[0] != top:
            return None
        following = load_module(forward[0], origin)
        if following is None:
            return None
        module = following
    return None


def follow_siblings(program: Program, origin: SourceModule) -> None:
    """Load the files beside a lone file that it imports from, and those that they import from."""
    queue = [origin.name]
    while queue:
        known = set(program.names)
        for qualified in program.names[queue.pop()].top.imports.values():
            followed = program.mapping.is_followed(qualified)
            if program.mapping.find(qualified) is None and not followed:
                follow(program, qualified, origin)
        queue += program.names.keys() - known


def lies_in_torch_code(program: Program, qualified: str) -> bool:
    """Tell whether another package's module that imports torch defines a name.

    Such code is not ported along, and a port that calls it would mix the two frameworks.
    """
    root = qualified.partition(".")[0]
    own = {name.partition(".")[0] for name in program.names}
    if root in own or root in MAPPED_ROOTS or root in sys.stdlib_module_names:
        return False
    if qualified not in program.foreign:
        program.foreign[qualified] = _in_torch_code(program, qualified)
    return program.foreign[qualified]


def is_missing(program: Program, qualified: str) -> bool:
    """Tell whether a name is of a package that is not installed: what it does cannot be read."""
    root = qualified.partition(".")[0]
    if root in {name.partition(".")[0] for name in program.names}:
        return False
    if root not in program.missing:
        origin = next(iter(program.names.values())).module
        found = root in sys.stdlib_module_names or is_installed(root)
        program.missing[root] = not found and not locate_beside(root, origin)
    return program.missing[root]


def _in_torch_code(program: Program, qualified: str) -> bool:
    found = definition_of(program, qualified)
    return found is not None and needs_port(program, found[0])


def definition_of(program: Program, qualified: str) -> tuple[SourceModule, str] | None:
    """Return the module that defines a name which packages may pass on, and the name there."""
    origin = next(iter(program.names.values())).module
    place, _, name = qualified.rpartition(".")
    seen = set()
    while place and (place, name) not in seen:
        seen.add((place, name))
        module = load_module(place, origin)
        if module is None:
            return None
        if _defines(module, name, program):
            return module, name
        forward = _reexport(module, name, origin)
        if forward is None:
            return None
        place, name = forward
    return None


def _owner(program: Program, qualified: str, origin: SourceModule) -> tuple[str | None, str]:
    place, _, name = qualified.rpartition(".")
    if program.mapping.is_followed(place):
        return place, name
    if not is_lone(origin):
        own = place.partition(".")[0] == origin.name.partition(".")[0]
        return (place, name) if own else (None, name)
    return (place, name) if locate_beside(place, origin) else (None, name)


def _comes_along(program: Program, module: SourceModule, origin: SourceModule) -> bool:
    """Tell whether a module is to be part of the port: it needs one, or its import brings torch."""
    if is_lone(origin) and locate_beside(module.name, origin):
        return True
    if needs_port(program, module):
        return True
    if _stays_importable(program, module.name):
        return False
    package = module.package
    if package not in program.bringing:
        program.bringing[package] = brings_torch(package)
    return program.bringing[package]


def _stays_importable(program: Program, name: str) -> bool:
    """Tell whether what is left of a followed package can be imported where torch is not.

    So it is with transformers, which is not ported as a whole.
    """
    mapping = program.mapping
    return mapping.is_followed(name) and mapping.is_external(name.partition(".")[0])


def left_behind(program: Program, qualified: str) -> bool:
    """Tell whether a name of the source's own package, which imports torch, is not in the port."""
    qualified = program.aliases.get(qualified, qualified)
    place = qualified.rpartition(".")[0]
    roots = {name.partition(".")[0] for name in program.names if "." in name}
    if qualified.partition(".")[0] not in roots or not place:
        return False
    if program.defined(qualified) or qualified in program.names or place in program.names:
        return False
    if program.mapping.is_external(qualified) or _stays_importable(program, qualified):
        return False
    if place not in program.bringing:
        program.bringing[place] = brings_torch(place)
    return program.bringing[place]


def brings_torch(package: str) -> bool:
    """Tell whether the import of an installed package, or of one around it, imports torch.

    Only plain imports at the top of its modules count: what stands in a branch may never run.
    """
    parts = package.split(".")
    queue = [".".join(parts[: end + 1]) for end in range(len(parts))]
    seen: set[str] = set()
    while queue:
        place = queue.pop()
        if place in seen or locate_module(place) is None:
            continue
        seen.add(place)
        try:
            module = find_module(place)
        except PorterError:
            continue
        for node in module.tree.body:
            for name in _imported(module, node):
                if name.partition(".")[0] in MAPPED_ROOTS:
                    return True
                if name.partition(".")[0] == parts[0]:
                    queue.append(name)
    return False


def _imported(module: SourceModule, node: ast.stmt) -> list[str]:
    """Return every module that an import may load."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = absolute(module, node)
        return [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return []


def _defines(module: SourceModule, name: str, program: Program) -> bool:
    """Tell whether a module's top level, branches that may run included, defines a name."""
    outer = set(module.tree.body)
    for node in top_level(module.tree):
        defined = isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
        if defined or (isinstance(node, ast.Assign) and name in assigned_names(node)):
            return node in outer or node not in _dead(module, program)
    return False


def _dead(module: SourceModule, program: Program) -> frozenset[ast.stmt]:
    known = program.names.get(module.name)
    return known.dead if known else program.conditions.dead(analyse_names(module))


def _reexport(module: SourceModule, name: str, origin: SourceModule) -> tuple[str, str] | None:
    stars = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return absolute(module, node), alias.name
                if alias.name == "*":
                    stars.append(absolute(module, node))
    for base in stars:
        place = (star_names(base, origin, (module.name,)) or {}).get(name)
        if place is not None and place.rpartition(".")[2] == name:
            return place.rpartition(".")[0], name
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
