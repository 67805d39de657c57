"""List the files of the runtime that a port needs, as texts to copy beside it."""

from __future__ import annotations

import re
from pathlib import Path

from porter.types import PortedFile

SIBLING = re.compile(r"^from \.(\w+) import", re.MULTILINE)
DIRECTORY = Path(__file__).resolve().parent / "runtime"


def runtime_closure(modules: set[str]) -> list[PortedFile]:
    """Return the named runtime modules and those that they import, verbatim."""
    if not modules:
        return []
    found: dict[str, str] = {}
    queue = sorted(modules)
    while queue:
        name = queue.pop(0)
        if name in found:
            continue
        text = (DIRECTORY / f"{name}.py").read_text(encoding="utf-8")
        found[name] = text
        queue += SIBLING.findall(text)
    init = (DIRECTORY / "__init__.py").read_text(encoding="utf-8")
    files = [PortedFile(Path("runtime") / "__init__.py", init)]
    return files + [
        PortedFile(Path("runtime") / f"{name}.py", text) for name, text in sorted(found.items())
    ]
