"""Import a port from its folder and build its Cell without torch."""

from __future__ import annotations

import functools
import gc
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import mindspore as ms
from mindspore import nn

from porter.build import attribute, build_model, import_named, resolve
from porter.recipe import Recipe
from porter.types import PorterError, one_line

_PACKAGE = "port_under_test"


def import_port(folder: Path) -> Any:
    """Import the port in `folder` under a fixed package name and return its main module.

    Raises PorterError PRT705 where it cannot be imported.
    """
    specification = importlib.util.spec_from_file_location(
        _PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if specification is None or specification.loader is None:
        raise PorterError("PRT704", f"{folder} is no package")
    package = importlib.util.module_from_spec(specification)
    sys.modules[_PACKAGE] = package
    try:
        manifest = json.loads((folder / "port.json").read_text())
        specification.loader.exec_module(package)
    except Exception as error:  # the port is foreign code: whatever it raises is the answer
        raise PorterError("PRT705", f"cannot import the port: {one_line(error)}") from error
    return import_named(f"{_PACKAGE}.{manifest['module']}")


class PortModule:
    """A port in `folder`, imported under a fixed package name whatever the folder is called."""

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self.folder = folder
        self.recipe = recipe

    @functools.cached_property
    def module(self) -> Any:
        """The ported module. Raises PorterError PRT705 where it cannot be imported."""
        module = import_port(self.folder)
        # MindSpore collects garbage at each compilation; frozen imports make that 3 times faster.
        gc.collect()
        gc.freeze()
        return module

    def resolve(self, reference: str) -> Any:
        """Return what a name of the PyTorch side stands for on this side.

        What was ported comes from the port, and a torch dtype from mindspore. Raises PorterError
        PRT704 for anything else that needs torch.
        """
        name, _, attributes = reference.partition(":")
        source = self.recipe.source
        if name == source.module or (source.file is not None and name == source.file.stem):
            return attribute(self._defining(attributes.partition(".")[0]), attributes)
        if name == "torch" and isinstance(getattr(ms, attributes, None), type(ms.float32)):
            return getattr(ms, attributes)
        last = name.rpartition(".")[2]
        if (self.folder / f"{last}.py").is_file():
            return attribute(import_named(f"{_PACKAGE}.{last}"), attributes)
        return resolve(reference)

    def _defining(self, name: str) -> Any:
        """Return the module of the port that has a name, which a package may only pass on."""
        if hasattr(self.module, name):
            return self.module
        for path in sorted(self.folder.glob("*.py")):
            if f"class {name}" in path.read_text(encoding="utf-8"):
                return import_named(f"{_PACKAGE}.{path.stem}")
        return self.module

    def new_cell(self) -> nn.Cell:
        """Return the port's Cell in evaluation mode, with the weights that it makes itself."""
        cell_class = attribute(self.module, self.recipe.source.class_name)
        cell = build_model(cell_class, self.recipe.build, self.resolve)
        if not isinstance(cell, nn.Cell):
            raise PorterError("PRT704", f"{self.recipe.source.class_name} is no mindspore.nn.Cell")
        # At once: a graph that was compiled before set_train keeps the mode it was compiled with.
        return cell.set_train(False)
