"""Build what a recipe describes; the same code serves the PyTorch and the MindSpore side."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from porter.recipe import Build, Recipe
from porter.types import PorterError, one_line


class Resolver(Protocol):
    """Return the object that "package.module:Name.attribute" names."""

    def __call__(self, reference: str) -> Any:
        """Return the object. Raises PorterError PRT704 where there is none."""
        ...


def resolve(reference: str) -> Any:
    """Import the module of "package.module:Name.attribute" and return the object.

    Raises PorterError PRT704 where the module cannot be imported or the name is not in it.
    """
    module_name, colon, attributes = reference.partition(":")
    if not colon or not attributes:
        raise PorterError("PRT704", f'"{reference}" must read "package.module:Name"')
    return attribute(import_named(module_name), attributes)


def import_named(module_name: str) -> Any:
    """Import a module, which runs it. Raises PorterError PRT705 with one line where that fails."""
    try:
        return importlib.import_module(module_name)
    except Exception as error:  # the module is foreign code: whatever it raises is the answer
        raise PorterError("PRT705", f"cannot import {module_name}: {one_line(error)}") from error


def import_file(path: Path, name: str) -> Any:
    """Import a file by its path, which runs it. Raises PorterError PRT704 where that fails.

    A file called random.py must not come out as the module of that name.
    """
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise PorterError("PRT704", f"{path} is no Python file")
    module = importlib.util.module_from_spec(specification)
    # MindSpore and dataclasses look the module of a class up by its name.
    sys.modules.setdefault(name, module)
    try:
        specification.loader.exec_module(module)
    except Exception as error:  # the module is foreign code: whatever it raises is the answer
        raise PorterError("PRT705", f"cannot import {path}: {one_line(error)}") from error
    return module


def attribute(module: Any, dotted: str) -> Any:
    """Return the object that `dotted` names in `module`, or raise PorterError PRT704."""
    value = module
    for part in dotted.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise PorterError("PRT704", f"{module.__name__} has no {dotted}") from None
    return value


def decode(value: Any, resolver: Resolver) -> Any:
    """Return `value` with `{"$ref"}`, `{"$new"}` and `{"$partial"}` tables replaced by objects."""
    if isinstance(value, list):
        return [decode(item, resolver) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return resolver(value["$ref"])
    for key in ("$new", "$partial"):
        if key in value:
            function = resolver(value[key])
            args = decode(value.get("args", []), resolver)
            kwargs = decode(value.get("kwargs", {}), resolver)
            if key == "$partial":
                return functools.partial(function, *args, **kwargs)
            return called(function, value[key], args, kwargs)
    return {key: decode(item, resolver) for key, item in value.items()}


def references(value: Any) -> list[str]:
    """Return the names that the tables of a value refer to: what must be there to build it."""
    if isinstance(value, list):
        return [name for item in value for name in references(item)]
    if not isinstance(value, dict):
        return []
    named = [value[key] for key in ("$ref", "$new", "$partial") if key in value]
    return [*named, *(name for item in value.values() for name in references(item))]


def needed(recipe: Recipe) -> list[str]:
    """Return what a port must have beside the class itself, so that a recipe can be built."""
    build, source = recipe.build, recipe.source
    found = references([build.args, build.kwargs, build.config])
    place = source.module or (source.file.stem if source.file is not None else "")
    if recipe.training is not None:
        found.append(f"{place}:{recipe.training.function}")
    if "." in source.class_name:
        # It is made by a method of the class, which calling the class does not need.
        found.append(f"{place}:{source.class_name}")
    return found


def called(function: Callable[..., Any], name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Call `function`, or raise PorterError PRT704 with the one line that says why it failed."""
    try:
        return function(*args, **kwargs)
    except PorterError:
        raise
    except Exception as error:  # a constructor is foreign code: whatever it raises is the answer
        raise PorterError("PRT704", f"cannot build {name}: {one_line(error)}") from error


def build_model(model_class: Callable[..., Any], build: Build, resolver: Resolver) -> Any:
    """Return an object of `model_class`, a torch.nn.Module or its port, as `build` describes it.

    Raises PorterError PRT704 where a name is missing or a constructor fails.
    """
    args, kwargs = decode(build.args, resolver), decode(build.kwargs, resolver)
    if build.config_class is not None:
        config = called(
            resolver(build.config_class), build.config_class, [], decode(build.config, resolver)
        )
        if build.attention:
            set_attention(config, build.attention)
        args = [config, *args]
    return called(model_class, getattr(model_class, "__name__", str(model_class)), args, kwargs)


def set_attention(config: Any, attention: str) -> None:
    """Choose the attention function of a configuration and of the configurations in it."""
    config._attn_implementation = attention
    for name, value in list(vars(config).items()):
        if hasattr(value, "_attn_implementation") and hasattr(value, "to_dict"):
            set_attention(getattr(config, name), attention)
