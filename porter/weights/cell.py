"""Build the Cell whose Parameters a checkpoint fills; this runs the port, never the source."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from porter.build import (
    attribute,
    build_model,
    called,
    import_file,
    import_named,
    resolve,
    set_attention,
)
from porter.documents import read_document
from porter.parity.fields import Fields
from porter.recipe import Build
from porter.types import PorterError, Position, one_line

SAVED_KEYS = frozenset({"model_type", "architectures", "transformers_version"})


def build_cell(reference: str | None, port: Path | None, config: Path | None) -> Any:
    """Return the mindspore.nn.Cell of a port's folder, or of "module:Class" or "file.py:Class".

    With `port`, the class is that of its port.json unless `reference` names another class of it.
    `config`, JSON or TOML, gives `config_class` with `config`, and `args` and `kwargs`. Or it is
    the config.json of a model as save_pretrained leaves it: the configuration class of the Cell
    reads it, or that of its `model_type`; its `architectures` name the class where nothing else
    does.

    Raises PorterError: PRT701, PRT702, PRT703 for the configuration, PRT704 where the port cannot
    be imported or the class cannot be built.
    """
    import mindspore

    document = {} if config is None else read_document(config)
    saved = config if _is_saved(document) else None
    build = Build(None, {}, [], {}, "") if saved else _read_build(document, config)
    if port is not None:
        manifest = _read_manifest(port)
        module = _import_package(port, str(manifest.get("module")))
        name = reference or manifest.get("class") or _architecture(document, module)
        if not isinstance(name, str):
            raise PorterError("PRT704", f"{port} names no class", hint="give it with --cell CLASS")
    else:
        manifest = {}
        place, colon, name = (reference or "").rpartition(":")
        if not colon or not place or not name:
            raise PorterError("PRT704", f'"{reference}" must read "module:Class", or give --port')
        module = _import_file(Path(place)) if place.endswith(".py") else _import_module(place)

    def resolver(reference: str) -> Any:
        place, _, attributes = reference.partition(":")
        if place and place == manifest.get("source"):
            return attribute(module, attributes)
        return resolve(reference)

    model_class = attribute(module, name)
    if saved is not None:
        cell = called(model_class, name, [_load_configuration(saved, model_class)], {})
    else:
        cell = build_model(model_class, build, resolver)
    if not isinstance(cell, mindspore.nn.Cell):
        raise PorterError("PRT704", f"{name} is no mindspore.nn.Cell")
    return cell


def _is_saved(document: Any) -> bool:
    """Tell whether this is a configuration as save_pretrained of transformers writes it."""
    return (
        isinstance(document, dict)
        and "config_class" not in document
        and not SAVED_KEYS.isdisjoint(document)
    )


def _architecture(document: Any, module: Any) -> str | None:
    """Return the only class of `module` that a saved configuration says the model is of."""
    names = document.get("architectures") if _is_saved(document) else None
    found = [name for name in names or () if isinstance(name, str) and hasattr(module, name)]
    return found[0] if len(found) == 1 else None


def _load_configuration(path: Path, model_class: Any) -> Any:
    """Return the configuration of a saved config.json; one class finds its part of a larger one."""
    configuration_class: Any = None
    if hasattr(model_class, "_configuration_class"):
        with suppress(ValueError):  # no class between this one and PreTrainedModel names one
            configuration_class = model_class._configuration_class()
    if not hasattr(configuration_class, "from_pretrained"):
        configuration_class = import_named("transformers").AutoConfig
    name = f"the configuration of {path}"
    config = called(configuration_class.from_pretrained, name, [str(path)], {})
    set_attention(config, "eager")
    return config


def _read_build(document: Any, path: Path | None) -> Build:
    fields = Fields(document, "")
    build = Build(
        config_class=fields.text("config_class"),
        config=fields.table("config"),
        args=fields.items("args"),
        kwargs=fields.table("kwargs"),
        attention=fields.text("attention", "eager") or "",
    )
    fields.finish()
    if build.config and build.config_class is None:
        raise PorterError("PRT703", "config needs config_class", position=Position(str(path)))
    return build


def _read_manifest(port: Path) -> dict[str, Any]:
    path = port / "port.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PorterError("PRT704", f"{port} is no port: {one_line(error)}") from error
    if not isinstance(manifest, dict):
        raise PorterError("PRT704", f"{port} is no port: its port.json is no object")
    return manifest


def _import_package(folder: Path, module: str) -> Any:
    """Import a module of the package `folder`; refuse another package of the same name."""
    folder = folder.resolve()
    with _first_on_path(folder.parent):
        found = import_named(f"{folder.name}.{module}")
    if not Path(str(found.__file__)).is_relative_to(folder):
        raise PorterError(
            "PRT704",
            f"another package is called {folder.name}: {found.__file__}",
            hint="rename the folder of the port",
        )
    return found


def _import_module(name: str) -> Any:
    # The installed `porter` command does not search the working folder, as `python -m` does.
    with _first_on_path(Path.cwd()):
        return import_named(name)


def _import_file(path: Path) -> Any:
    """Import a file: as a module of its package, whose relative imports then work, or alone."""
    if not path.is_file():
        raise PorterError("PRT704", f"there is no file {path}")
    folder, name = path.resolve().parent, path.stem
    if (folder / "__init__.py").is_file():
        package = folder
        while (package.parent / "__init__.py").is_file():
            package = package.parent
            name = f"{folder.relative_to(package).as_posix().replace('/', '.')}.{name}"
        return _import_package(package, name)
    return import_file(path, name)


@contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
