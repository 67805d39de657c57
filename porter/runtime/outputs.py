"""Name the results of ported cells, which are plain dicts inside the graph."""

# mypy: allow-subclassing-any

from __future__ import annotations

import dataclasses
import functools
import gc
import inspect
import re
import sys
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, ClassVar

import mindspore as ms
from mindspore import nn

FIELDS_KEY = "fields"
ABSENT = "absent"
"""What stands for None in a tuple of results: STRICT syntax fails on a None there."""
_RENAMED = {"past_key_values": "cache", "cache_params": "cache"}


class ModelOutput(OrderedDict[str, Any]):
    """Serve the outputs of a model by attribute, by name and by position.

    Fields that are None can be read as attributes, and are absent from the items, the tuple and the
    positions. A subclass declares its fields in its body, `loss: Tensor | None = None`, or by name,
    `class Output(ModelOutput, names="loss logits")`; either way it becomes a dataclass.
    """

    def __init_subclass__(cls, names: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if names:
            cls.__annotations__ = dict.fromkeys(names.split(), "Any")
            for name in cls.__annotations__:
                setattr(cls, name, None)
        dataclasses.dataclass(cls)

    def __post_init__(self) -> None:
        declared = dataclasses.fields(self)  # type: ignore[arg-type]
        given = {field.name: self.__dict__.get(field.name) for field in declared}
        first, *others = given.values()
        if all(value is None for value in others) and (pairs := _name_value_pairs(first)):
            given = {**dict.fromkeys(given), **dict(pairs)}
        for name, value in given.items():
            setattr(self, name, value)

    @classmethod
    def _current_name(cls, name: str) -> str:
        declared = getattr(cls, "__dataclass_fields__", {})
        renamed = _RENAMED.get(name, name)
        return renamed if name not in declared and renamed in declared else name

    def __getattr__(self, name: str) -> Any:
        current = type(self)._current_name(name)
        if current == name:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        return getattr(self, current)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return super().__getitem__(self._current_name(key))
        return self.to_tuple()[key]

    def get(self, key: str, default: Any = None) -> Any:
        """Return a field, or the default where it is absent."""
        return super().get(self._current_name(key), default)

    def __setitem__(self, key: str, value: Any) -> None:
        key = self._current_name(key)
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def __setattr__(self, name: str, value: Any) -> None:
        name = self._current_name(name)
        super().__setattr__(name, value)
        if name not in getattr(type(self), "__dataclass_fields__", {}):
            return
        if value is not None:
            super().__setitem__(name, value)
        elif name in self:
            super().__delitem__(name)

    def __delitem__(self, key: str) -> None:
        raise TypeError(f"{type(self).__name__} does not delete fields: set {key!r} to None")

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{type(self).__name__} has fixed fields: set them one by one")

    pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return _name_fields, (type(self), dict(self))

    def to_tuple(self) -> tuple[Any, ...]:
        """Return the fields that are not None, in their order."""
        return tuple(self[name] for name in self)


def _name_value_pairs(value: Any) -> list[tuple[str, Any]]:
    """Return the items of a mapping, or a list of (name, value) pairs, else nothing."""
    if isinstance(value, Mapping):
        return list(value.items())
    pairs = value if isinstance(value, (list, tuple)) else ()
    is_pair = (
        isinstance(p, (list, tuple)) and len(p) == 2 and isinstance(p[0], str) for p in pairs
    )
    return [tuple(pair) for pair in pairs] if all(is_pair) else []


def named_output(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None as a dict, with their names under the key "fields".

    For use inside the graph, where a structured output is a dict. STRICT syntax turns the outermost
    dict into a tuple of its values; the names that stand last let `NamedOutputCell` name them.
    A cache is no result: its owner has it, and a dict that holds a Cell has values of no type.
    """
    kept = {}
    names: tuple[Any, ...] = ()
    for name, value in fields.items():
        if value is not None and not isinstance(value, nn.Cell):
            kept[name] = value
            names = (*names, _described(name, value))
    kept["fields"] = names
    return kept


def extended(result: dict[str, Any], **given: Any) -> dict[str, Any]:
    """Return the fields of a result inside the graph and others, those that are None apart."""
    kept = {}
    names: tuple[Any, ...] = ()
    for key, old in result.items():
        if key != "fields" and key not in given and old is not None:
            kept[key] = old
            names = (*names, _described(key, old))
    for key, value in given.items():
        if value is not None:
            kept[key] = value
            names = (*names, _described(key, value))
    kept["fields"] = names
    return kept


def with_field(result: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return a result inside the graph with another value of one field, as a dict of its own."""
    kept = {}
    names: tuple[Any, ...] = ()
    for key, old in result.items():
        item = value if key == name else old
        if key != "fields" and item is not None:
            kept[key] = item
            names = (*names, _described(key, item))
    if name not in result and value is not None:
        kept[name] = value
        names = (*names, _described(name, value))
    if "fields" in result:
        kept["fields"] = names
    return kept


def positions(result: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the fields of a result that are not None, in the order of `names`.

    A function that was asked for a plain tuple has given that.
    """
    if not isinstance(result, dict):
        return tuple(result)
    values: tuple[Any, ...] = ()
    for name in names:
        value = result.get(name)
        if value is not None:
            values = (*values, value)
    return values


def item_at(result: Any, place: int, names: tuple[str, ...]) -> Any:
    """Return an item of a tuple, or a field by its place among those that are not None."""
    return positions(result, names)[place] if isinstance(result, dict) else result[place]


def _described(name: str, value: Any) -> Any:
    """Return the name of a field; where its value is a dict itself, with the names inside it."""
    if isinstance(value, dict):
        inner: tuple[Any, ...] = ()
        for key, item in value.items():
            inner = (*inner, _described(key, item))
        return (name, inner)
    return name


class NamedOutputCell(nn.Cell):
    """Give the result of `construct`, a dict inside the graph, back as an object of `output_class`.

    `output_class` is a `ModelOutput`, a dataclass or a NamedTuple. `output_fields` names the fields
    of a result whose fields are all present; a `construct` that uses `named_output` needs none.
    """

    output_class: ClassVar[type[Any] | None] = None
    output_fields: ClassVar[tuple[str, ...] | None] = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell and name its result. A construct asked for `return_dict=False` is obeyed."""
        result = self._run(args, kwargs)
        if self.output_class is None or self._wants_tuple(args, kwargs):
            return result
        if isinstance(result, (tuple, list)) and ms.get_context("mode") == ms.GRAPH_MODE:
            result = self._restore_names(tuple(result))
        if isinstance(result, dict) and not isinstance(result, ModelOutput):
            return _name_fields(self.output_class, result)
        return result

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.compile_cache or ms.get_context("mode") != ms.GRAPH_MODE:
            return super().__call__(*args, **kwargs)
        # Each compilation collects garbage, through every object that the imports left: with those
        # set aside it takes a third to a half of the time.
        gc.collect()
        gc.freeze()
        try:
            return super().__call__(*args, **kwargs)
        finally:
            gc.unfreeze()

    def set_inputs(self, *inputs: Any, **named: Any) -> None:
        """Declare inputs for dynamic shapes by position, or by name with the rest at its default.

        By name, MindSpore itself refuses every construct that takes `**kwargs`.
        """
        if named and not inputs:
            parameters = inspect.signature(self.construct).parameters.values()
            known = [item for item in parameters if item.kind is item.POSITIONAL_OR_KEYWORD]
            unknown = named.keys() - {item.name for item in known}
            if unknown:
                raise ValueError(f"construct has no parameters {', '.join(sorted(unknown))}")
            inputs = tuple(
                named.get(item.name, None if item.default is item.empty else item.default)
                for item in known
            )
        super().set_inputs(*inputs)

    def _wants_tuple(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        signature = inspect.signature(self.construct)
        if "return_dict" not in signature.parameters:
            return False
        return signature.bind(*args, **kwargs).arguments.get("return_dict") is False

    def _restore_names(self, values: tuple[Any, ...]) -> Any:
        # STRICT syntax gives a dict back as the tuple of its values.
        if values and _are_names(values[-1]):
            return _zip_names(values[-1], values[:-1])
        if self.output_fields is None:
            return values
        return _zip_names(self.output_fields, values)


def _are_names(value: Any) -> bool:
    described = value if isinstance(value, tuple) else ()
    is_name = (isinstance(n[0] if isinstance(n, tuple) and n else n, str) for n in described)
    return bool(described) and all(is_name)


def _zip_names(names: tuple[Any, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    """Pair names with values; a name of the form (name, inner names) belongs to a nested dict."""
    if len(names) != len(values):
        raise RuntimeError(f"the cell returned {len(values)} values for the fields {names}")
    result = {}
    for name, value in zip(names, values, strict=True):
        if isinstance(name, tuple):
            name, inner = name
            value = value if isinstance(value, dict) else _zip_names(inner, tuple(value))
        result[name] = value
    return result


def _present(value: Any) -> Any:
    """Return a field with None for the items that a graph could not give as None."""
    if isinstance(value, tuple) and ABSENT in [item for item in value if isinstance(item, str)]:
        return tuple(None if isinstance(item, str) else item for item in value)
    return value


def _name_fields(output_class: type[Any], values: Mapping[str, Any]) -> Any:
    """Build an object of `output_class`, or of a subclass that also serves its fields by name."""
    given = {
        name: _name_fields(_field_class(output_class, name, value), value)
        if isinstance(value, dict) and not isinstance(value, ModelOutput)
        else _present(value)
        for name, value in values.items()
        if name != FIELDS_KEY and value is not None
    }
    if issubclass(output_class, ModelOutput):
        current = output_class._current_name
        return output_class(**{current(name): value for name, value in given.items()})
    absent = dict.fromkeys(_required_fields(output_class) - given.keys())
    return _by_name(output_class)(  # type: ignore[arg-type]
        **given, **absent
    )


def _required_fields(output_class: type[Any]) -> set[str]:
    parameters = inspect.signature(output_class).parameters.values()
    return {p.name for p in parameters if p.default is inspect.Parameter.empty}


def _field_class(output_class: type[Any], name: str, value: Mapping[str, Any]) -> type[Any]:
    """Return the first class in a field's annotation that has all the fields of `value`."""
    for cls in output_class.__mro__:
        annotation = inspect.get_annotations(cls).get(name)
        if annotation is None:
            continue
        text = annotation if isinstance(annotation, str) else repr(annotation)
        module = sys.modules[cls.__module__]
        for word in re.findall(r"\w+", text):
            found = getattr(module, word, None)
            if isinstance(found, type) and value.keys() - {FIELDS_KEY} <= _field_names(found):
                return found
    return ModelOutput


def _field_names(cls: type[Any]) -> set[str]:
    if dataclasses.is_dataclass(cls):
        return {field.name for field in dataclasses.fields(cls)}
    return set(getattr(cls, "_fields", ()))


class _ByName:
    """Add reading by name to a dataclass or a NamedTuple, as a dict inside the graph has it."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return getattr(self, key)
        values = tuple(self) if isinstance(self, tuple) else tuple(vars(self).values())
        return values[key]

    def get(self, key: str, default: Any = None) -> Any:
        value = getattr(self, key, None)
        return default if value is None else value

    def __reduce__(self) -> tuple[Any, ...]:
        output_class = type(self).__mro__[2]
        names = _field_names(output_class)
        return _name_fields, (output_class, {name: getattr(self, name) for name in names})


@functools.cache
def _by_name(output_class: type) -> type[Any]:
    return type(output_class.__name__, (_ByName, output_class), {"__slots__": ()})
