"""Stand in for packages that are not installed, so that model code which only imports them loads.

A zoo's entry names them. Their names give objects that do nothing: used in a computation they fail,
or give nothing that a tensor could be made of.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

_TEXT = "from porter.zoo.stand_in import become\n\nbecome(__name__)\n"


def write_stand_ins(names: Sequence[str], folder: Path) -> None:
    """Write a package below `folder` for each top-level name that cannot be imported."""
    for name in names:
        if importlib.util.find_spec(name) is None:
            package = folder / name
            package.mkdir(parents=True, exist_ok=True)
            (package / "__init__.py").write_text(_TEXT)


def become(name: str) -> None:
    """Make the package `name`, which is being imported, one that has every name and module."""
    _fill(sys.modules[name])
    sys.meta_path.append(_Modules(name))


class _Nothing:
    """What every name of a stand-in is: callable, a decorator, a base class, iterable, empty."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and callable(arguments[0]) and not keywords:
            return arguments[0]  # it decorates
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing()  # another one, so that tables of several names keep them apart

    def __getitem__(self, _key: Any) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (object,)

    def __or__(self, _other: Any) -> Any:
        return Any

    __ror__ = __or__


def _fill(module: ModuleType) -> None:
    def attribute(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return sys.modules.get(f"{module.__name__}.{name}", _Nothing())

    module.__dict__.update(__path__=[], __version__="0.0.0", __getattr__=attribute)


class _Modules(MetaPathFinder, Loader):
    """Find the modules of one stand-in."""

    def __init__(self, name: str) -> None:
        self.prefix = f"{name}."

    def find_spec(self, fullname: str, _path: Any = None, _target: Any = None) -> Any:
        if fullname.startswith(self.prefix):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, _spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        _fill(module)
