"""Write and import Python files that a worker generates: MindSpore compiles from source text."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from porter.types import PorterError

_NO_NAMES: Mapping[str, Any] = MappingProxyType({})


def import_generated(path: Path, text: str, names: Mapping[str, Any] = _NO_NAMES) -> Any:
    """Write a module to `path`, run it with these global names, and return it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    name = f"porter_generated_{len(sys.modules)}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise PorterError("PRT904", f"cannot import the generated {path.name}")
    module = importlib.util.module_from_spec(specification)
    vars(module).update(names)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module
