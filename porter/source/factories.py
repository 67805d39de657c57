"""Write the factories that choose a model class by a configuration as the class itself.

`AutoModel.from_config(config.vision_config)` of transformers makes an object of the class that
stands for `model_type` in that configuration. Who has the configuration as data knows which one;
the tables that turn it into a class are read from the text of the package, which is not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from porter.source.names import absolute, dotted
from porter.source.read import SourceModule, find_module, locate_module

_PACKAGE = "transformers.models"
_FACTORIES = f"{_PACKAGE}.auto.modeling_auto"
_MODULES = (f"{_PACKAGE}.auto.auto_mappings", f"{_PACKAGE}.auto.configuration_auto")
_AUTO = [*_PACKAGE.split("."), "auto"]
_BACKBONE = "load_backbone"
_METHODS = ("from_config", "_from_config")


@dataclass(frozen=True, slots=True)
class _Choice:
    """A call of a factory, the import of the factory, and the class that is meant.

    Where there is none, `module` is empty, `call` the statement that would bind it, `class_name`
    that of an error, and `configuration` its message.
    """

    call: ast.Call | ast.stmt
    configuration: str
    imported: ast.ImportFrom
    module: str
    class_name: str


def is_factory(qualified: str) -> bool:
    """Tell whether a name is that of a factory's method."""
    owner, _, method = qualified.rpartition(".")
    return method in _METHODS and owner.startswith("transformers.") and ".Auto" in owner


def with_classes(module: SourceModule, configuration: Mapping[str, Any]) -> SourceModule:
    """Return the module with the classes that its factories choose for a configuration.

    A call whose configuration is not found, or says no `model_type`, is left as it is. Lines keep
    their numbers.
    """
    if not any(f"{name}(" in module.text for name in (*_METHODS, _BACKBONE)):
        return module
    choices = list(_choices(module, configuration))
    if not choices:
        return module
    lines = [line.encode() for line in module.text.splitlines(keepends=True)]
    edits: list[tuple[tuple[int, int], tuple[int, int], str]] = []
    for choice in choices:
        span = _span(choice.call)
        # The lines that the call took stay, within its parentheses.
        blank = "\n" * (span[1][0] - span[0][0])
        if choice.module:
            edits.append((*span, f"{choice.class_name}({choice.configuration}{blank})"))
        else:
            raising = f'raise {choice.class_name}("{choice.configuration}"{blank})'
            edits.append((*span, raising))
    # On the line of the import, so that no line gets another number.
    chosen = [choice for choice in choices if choice.module not in ("", module.name)]
    for imported, place, name in {(c.imported, c.module, c.class_name): None for c in chosen}:
        end = _span(imported)[1]
        edits.append((end, end, f"; from {place} import {name}"))
    for start, end, text in sorted(edits, reverse=True):
        lines[start[0]] = lines[start[0]][: start[1]] + text.encode() + lines[end[0]][end[1] :]
        del lines[start[0] + 1 : end[0] + 1]
    text = b"".join(lines).decode()
    return replace(module, text=text, tree=ast.parse(text))


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where a node begins and ends: line from 0, column in bytes."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno - 1, node.col_offset), (node.end_lineno - 1, node.end_col_offset)


def _choices(module: SourceModule, configuration: Mapping[str, Any]) -> Iterator[_Choice]:
    imports = {
        alias.asname or alias.name: (node, alias.name)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and _holds_factories(absolute(module, node))
        for alias in node.names
    }
    statements = {
        node.value: node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign | ast.Expr)
    }
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if (
                method in _METHODS and name in imports
            ):
                imported, factory = imports[name]
                part: list[str] = []
            case ast.Call(func=ast.Name(id=name)) if imports.get(name, ("", ""))[1] == _BACKBONE:
                imported, factory = imports[name][0], "AutoBackbone"
                part = ["backbone_config"]
            case _:
                continue
        given = [*node.args, *(word.value for word in node.keywords if word.arg == "config")]
        path = dotted(given[0]) if given else None
        if path is None:
            continue
        names = [*path, *part]
        kind = _model_type(configuration, names[-1])
        place = _class_for(factory, kind) if kind else None
        if place is not None:
            yield _Choice(node, ".".join(names), imported, *place)
        elif kind and node in statements and _only_others_make(factory, kind):
            # The branch is another configuration's: torch would raise here, as the port does.
            missing = f"{factory} has no class for model_type {kind!r}"
            yield _Choice(statements[node], missing, imported, "", "ValueError")


def _only_others_make(factory: str, model_type: str) -> bool:
    """Tell whether a factory is known and has no class for a kind that other factories have."""
    tables = _tables()
    known = any(model_type in table for table in tables.values())
    return known and factory in tables and model_type not in tables[factory]


def _holds_factories(module: str) -> bool:
    parts = module.split(".")
    return module in ("transformers", "transformers.backbone_utils") or parts[:3] == _AUTO


def _model_type(configuration: Mapping[str, Any], key: str) -> str | None:
    """Return the `model_type` of the part called `key`, however deep, where there is one only."""
    found: set[str] = set()
    queue: list[Mapping[str, Any]] = [configuration]
    while queue:
        for name, value in queue.pop().items():
            if isinstance(value, Mapping):
                queue.append(value)
                if name == key:
                    found.add(str(value.get("model_type", "")))
    kind = found.pop() if len(found) == 1 else ""
    return kind or None


def _class_for(factory: str, model_type: str) -> tuple[str, str] | None:
    """Return the module and the name of the class that a factory makes for a `model_type`."""
    name = _tables().get(factory, {}).get(model_type)
    if name is None:
        return None
    folder = _folders().get(model_type, model_type.replace("-", "_"))
    package = locate_module(f"{_PACKAGE}.{folder}")
    for path in sorted(package.parent.glob("modeling_*.py")) if package else ():
        if f"\nclass {name}(" in path.read_text(encoding="utf-8"):
            return f"{_PACKAGE}.{folder}.{path.stem}", name
    return None


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, str]]:
    """Return, for each factory, the names of classes by `model_type`."""
    constants = _constants(_FACTORIES)
    result = {}
    for node in find_module(_FACTORIES).tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        mapping = next(
            (
                item.value.id
                for item in node.body
                if isinstance(item, ast.Assign) and isinstance(item.value, ast.Name)
            ),
            "",
        )
        result[node.name] = _pairs(constants.get(f"{mapping}_NAMES"))
    return result


@lru_cache(maxsize=1)
def _folders() -> dict[str, str]:
    """Return the folders of the kinds of models that have another name than their folder."""
    result: dict[str, str] = {}
    for module in _MODULES:
        if locate_module(module) is None:
            continue
        for node in find_module(module).tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    pass
                case ast.Expr(
                    value=ast.Call(
                        func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=[value]
                    )
                ):
                    pass
                case _:
                    continue
            if name == "SPECIAL_MODEL_TYPE_TO_MODULE_NAME":
                result |= _pairs(value)
    return result


def _constants(module: str) -> dict[str, ast.expr]:
    return {
        node.targets[0].id: node.value
        for node in find_module(module).tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def _pairs(value: ast.expr | None) -> dict[str, str]:
    """Return the texts of a dictionary, or of an OrderedDict of pairs; of several the first."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        value = value.args[0]
    if value is None:
        return {}
    try:
        pairs = dict(ast.literal_eval(value))
    except (ValueError, TypeError):
        return {}
    return {key: item if isinstance(item, str) else item[0] for key, item in pairs.items()}
