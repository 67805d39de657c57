"""List the files of the runtime that a port needs, as texts to copy beside it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from porter.types import PortedFile

DIRECTORY = Path(__file__).resolve().parent / "runtime"


SECOND = frozenset(
    {
        ("scalars", "exp"),
        ("scalars", "tanh"),
        ("einops", "einsum"),
        ("statistics", "gradient"),
        ("activations", "Tanh"),
        *(("batch_norm", f"BatchNorm{axes}d") for axes in (1, 2, 3)),
        *(("passed_on", name) for name in ("ELU", "GroupNorm", "Mish", "SELU")),
    }
)
"""Names that two modules of the runtime have: of these a port writes the module, too."""


@dataclass(frozen=True, slots=True)
class RuntimeModule:
    """One file of the runtime: its text, the siblings it imports, what it re-exports of them."""

    text: str
    siblings: tuple[str, ...]
    reexports: dict[str, str]


@lru_cache(maxsize=64)
def runtime_module(name: str) -> RuntimeModule:
    """Read one module of the runtime."""
    text = (DIRECTORY / f"{name}.py").read_text(encoding="utf-8")
    siblings: list[str] = []
    reexports: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            siblings += [node.module] if node.module else [alias.name for alias in node.names]
            if node.module:
                reexports.update({alias.name: node.module for alias in node.names})
    return RuntimeModule(text, tuple(siblings), reexports)


def home(module: str, name: str) -> str:
    """Return the runtime module that defines a name which `module` offers."""
    return runtime_module(module).reexports.get(name, module)


def runtime_closure(modules: set[str]) -> list[PortedFile]:
    """Return the named runtime modules and those that they import, verbatim."""
    if not modules:
        return []
    found: set[str] = set()
    queue = sorted(modules)
    while queue:
        name = queue.pop(0)
        if name not in found:
            found.add(name)
            queue += runtime_module(name).siblings
    files = [PortedFile(Path("runtime") / f"{n}.py", runtime_module(n).text) for n in sorted(found)]
    init = (DIRECTORY / "__init__.py").read_text(encoding="utf-8")
    return [PortedFile(Path("runtime") / "__init__.py", init), *files]


@lru_cache(maxsize=128)
def output_names(target: str) -> tuple[str, ...]:
    """Return the fields of a `runtime.module.Class` that says them as `names="first second"`."""
    parts = target.split(".")
    if len(parts) != 3 or parts[0] != "runtime":
        return ()
    for node in ast.parse(runtime_module(parts[1]).text).body:
        if isinstance(node, ast.ClassDef) and node.name == parts[2]:
            for keyword in node.keywords:
                if keyword.arg == "names" and isinstance(keyword.value, ast.Constant):
                    return tuple(str(keyword.value.value).split())
    return ()
