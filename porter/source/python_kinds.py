"""Know the values of Python's own types and of libraries that hold no tensors."""

from __future__ import annotations

import sys
from functools import lru_cache

from porter.mapping.load import Mapping
from porter.source.kinds import (
    ARRAY,
    BOOL,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    SHAPE,
    STR,
    UNKNOWN,
    Kind,
    elements,
    list_of,
    tuple_of,
)

TYPES: dict[str, type] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "tuple": tuple,
    "list": list,
    "set": set,
    "dict": dict,
    "none": type(None),
}
PYTHON_METHODS = frozenset(
    name
    for kind in (*TYPES.values(), bytes, frozenset)
    if kind is not type(None)
    for name in dir(kind)
)
ELSEWHERE = frozenset(("to", "type", "item", "apply", "numpy"))

# Methods that torch.Tensor shares with no array, module, pattern or logger in common use: what they
# are called on is a tensor from there on.
TENSOR_ONLY = frozenset(
    (
        *("bmm", "chunk", "clamp", "contiguous", "detach", "dim", "expand_as", "flip", "gather"),
        *("index_select", "log_softmax", "long", "masked_fill", "matmul", "narrow", "new_full"),
        *("new_ones", "new_zeros", "numel", "permute", "scatter", "scatter_add", "sigmoid"),
        *("softmax", "tril", "triu", "type_as", "unbind", "unfold", "unsqueeze", "view_as"),
    )
)

# Containers of the standard library, which may hold tensors, and functions that give them back.
OPEN = frozenset(("abc", "collections", "copy", "functools", "itertools", "operator", "typing"))
OPEN_MODULES = OPEN | {"contextlib", "dataclasses", "importlib", "builtins", "queue", "types"}
HOSTS = (sys.stdlib_module_names - OPEN_MODULES) | {"PIL", "cv2", "pandas", "regex", "scipy"}
DICTS = ("collections.OrderedDict", "collections.defaultdict")

STR_METHODS = {
    **dict.fromkeys(("split", "rsplit", "splitlines"), list_of(STR)),
    **dict.fromkeys(("partition", "rpartition"), tuple_of(STR, STR, STR)),
    **dict.fromkeys(("index", "rindex", "find", "rfind", "count"), INT),
    **dict.fromkeys((name for name in dir(str) if name.startswith("is")), BOOL),
    **dict.fromkeys(("startswith", "endswith"), BOOL),
    "encode": OBJECT,
    "maketrans": OBJECT,
}
ARRAY_ATTRIBUTES = {"shape": SHAPE, "dtype": DTYPE, "ndim": INT, "size": INT}
ARRAY_METHODS = {"tolist": Kind("list"), "item": FLOAT}
CACHE_METHODS = frozenset(("get_seq_length", "get_max_cache_shape"))
"""What is asked of a cache of keys and values, which runtime.caching answers."""


def is_tensor_method(name: str) -> bool:
    """Tell whether a method name of torch.Tensor is none of Python's own types."""
    return name not in PYTHON_METHODS and name not in ELSEWHERE


@lru_cache(maxsize=4096)
def host_call(qualified: str) -> Kind | None:
    """Return the kind that a call of an imported name gives, None where it may be a tensor."""
    root = qualified.partition(".")[0]
    if root == "numpy":
        return ARRAY
    if qualified in DICTS:
        return Kind("dict")
    if qualified in ("collections.Counter", "collections.deque"):
        return OBJECT if qualified.endswith("Counter") else Kind("list")
    return OBJECT if root in HOSTS else None


def denies(kind: Kind, name: str, mapping: Mapping) -> bool:
    """Tell whether a value cannot be of a kind, since a tensor has the attribute and it has not.

    Sizes have `numel` as tensors have.
    """
    known = TYPES.get(kind.name)
    return (
        known is not None
        and not (name == "numel" and kind.name in ("tuple", "list"))
        and not hasattr(known, name)
        and is_tensor_method(name)
        and mapping.method(name) is not None
    )


def python_method(value: Kind, name: str) -> Kind:
    """Return the kind that a method of a value that is no tensor gives."""
    if value.name == "array":
        return ARRAY_METHODS.get(name, ARRAY)
    if value.name == "object":
        return OBJECT if value.cls is None else UNKNOWN
    if value.name == "str":
        return STR_METHODS.get(name, STR)
    if value.name == "dict":
        return _dict_method(value, name)
    if value.name in ("list", "set", "modules", "tuple", "shape"):
        return _sequence_method(value, name)
    if value.name in ("int", "float", "bool"):
        return BOOL if name == "is_integer" else INT
    return UNKNOWN


def _dict_method(value: Kind, name: str) -> Kind:
    held = elements(value) or UNKNOWN
    if name == "copy":
        return value
    if name == "keys":
        return Kind("list")
    if name == "values":
        return list_of(held)
    if name == "items":
        return list_of(tuple_of(UNKNOWN, held))
    if name in ("get", "pop", "setdefault"):
        return held
    return NONE if name in ("update", "clear") else UNKNOWN


def _sequence_method(value: Kind, name: str) -> Kind:
    held = elements(value) or UNKNOWN
    if name in ("copy", "union", "intersection", "difference"):
        return value
    if name in ("index", "count"):
        return INT
    if name in ("values", "children") and value.name == "modules":
        return list_of(held)
    if name == "items" and value.name == "modules":
        return list_of(tuple_of(STR, held))
    return held if name == "pop" else NONE
