"""Name the kinds of value that porter tells apart, and join them where paths meet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value is, as far as the source says.

    `name` is one of tensor, int, float, complex, bool, str, none, dtype, device, shape (a tuple of
    ints), tuple, list, set, dict, module, modules (a list of modules), config, function, class,
    output (a structured result), context (of an autograd function), array (of NumPy), object (of
    Python or another library; no tensor) and unknown. `sure` is false where only usage suggests
    the kind. `optional` marks values that may be None.

    `items` are the parts of a tuple, a list or a literal of known length, and the alternatives of
    a module or function that may be one of several. `element` is what a container holds (of a
    dict: its values), and what calling a module or function gives. `fields` are those of an
    output, or the values of a dict by key. `dtype` is that of a tensor, or which dtype a dtype is,
    by its name in torch; None where the source does not say.
    """

    name: str
    items: tuple[Kind, ...] | None = None
    element: Kind | None = None
    cls: str | None = None
    fields: tuple[tuple[str, Kind], ...] = ()
    optional: bool = False
    sure: bool = True
    dtype: str | None = None

    def field(self, name: str) -> Kind | None:
        """Return the kind of a structured result's field, None when the result does not have it."""
        return dict(self.fields).get(name)

    @property
    def required(self) -> Kind:
        return replace(self, optional=False) if self.optional else self


UNKNOWN = Kind("unknown")
TENSOR = Kind("tensor")
ASSUMED_TENSOR = Kind("tensor", sure=False)
INT = Kind("int")
FLOAT = Kind("float")
COMPLEX = Kind("complex")
BOOL = Kind("bool")
STR = Kind("str")
NONE = Kind("none")
DTYPE = Kind("dtype")
DEVICE = Kind("device")
SHAPE = Kind("shape")
DICT = Kind("dict")
ARRAY = Kind("array")
OBJECT = Kind("object")
SETTING = Kind("object", optional=True)
NUMBERS = ("int", "float", "bool")
CATEGORIES = {
    "integers": ("int", "uint"),
    "booleans": ("bool",),
    "reals": ("int", "uint", "float", "bfloat"),
}
"""Tensors by their dtype, as an overload may want them: how the names of their dtypes begin."""


def list_of(element: Kind) -> Kind:
    """Return the kind of a list whose elements are all of one kind."""
    return Kind("list", element=element)


def tuple_of(*items: Kind) -> Kind:
    """Return the kind of a tuple of known length."""
    return Kind("tuple", items=items)


def named(result: str) -> Kind:
    """Return the kind that a mapping entry's `result` field names."""
    if result == "tensors":
        return Kind("tuple", element=TENSOR)
    if result == "activations":
        return Kind("modules", element=Kind("module", element=TENSOR))
    return Kind(result)


def elements(kind: Kind) -> Kind | None:
    """Return the kind of what a container holds; None where it is known to hold nothing."""
    if kind.element is not None:
        return kind.element
    if kind.items is None:
        return INT if kind.name == "shape" else UNKNOWN
    return reduce(join, kind.items) if kind.items else None


def both_elements(left: Kind, right: Kind) -> Kind | None:
    """Return the kind of what either of two containers holds; None where neither says."""
    ours, theirs = elements(left), elements(right)
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    joined = join(ours, theirs)
    return None if joined.name == "unknown" else joined


def join(left: Kind, right: Kind) -> Kind:
    """Return the kind of a value that may come from either of two paths."""
    if left == right:
        return left
    if left.name == "none":
        return replace(right, optional=True)
    if right.name == "none":
        return replace(left, optional=True)
    optional = left.optional or right.optional
    sure = left.sure and right.sure
    if left.name == right.name:
        return replace(_join_alike(left, right), optional=optional, sure=sure)
    if is_shape(left) and is_shape(right):
        return replace(SHAPE, optional=optional)
    if left.name in NUMBERS and right.name in NUMBERS:
        return FLOAT
    return UNKNOWN


def _join_alike(left: Kind, right: Kind) -> Kind:
    """Join two kinds of one name."""
    if left.name in ("tuple", "list", "set", "modules"):
        known = left.items is not None and right.items is not None
        if known and len(left.items or ()) == len(right.items or ()) and left.name == "tuple":
            pairs = zip(left.items or (), right.items or (), strict=True)
            return Kind("tuple", items=tuple(join(a, b) for a, b in pairs))
        cls = left.cls if left.cls == right.cls else None
        return Kind(left.name, element=both_elements(left, right), cls=cls)
    if left.name == "dict":
        shared = tuple(
            (name, join(kind, right.field(name) or UNKNOWN))
            for name, kind in left.fields
            if right.field(name) is not None
        )
        return Kind("dict", element=both_elements(left, right), fields=shared)
    if left.name == "output":
        names = [name for name, _ in left.fields]
        merged = tuple((name, join(kind, right.field(name) or NONE)) for name, kind in left.fields)
        merged += tuple(
            (name, join(kind, NONE)) for name, kind in right.fields if name not in names
        )
        return replace(left, fields=merged)
    if left.name in ("module", "function"):
        every = dict.fromkeys((*(left.items or (left,)), *(right.items or (right,))))
        plain = tuple(dict.fromkeys(replace(kind, optional=False, sure=True) for kind in every))
        return plain[0] if len(plain) == 1 else Kind(left.name, items=plain)
    if left.name in ("class", "object") and left.cls != right.cls:
        # Instances of the source's own classes may hold tensors.
        return Kind(left.name) if left.name == "class" else UNKNOWN
    return left if left.dtype == right.dtype else replace(left, dtype=None)


def is_shape(kind: Kind) -> bool:
    """Tell whether a value is a tuple or list of ints."""
    if kind.name == "shape":
        return True
    if kind.name in ("tuple", "list") and kind.items:
        return all(item.name == "int" for item in kind.items)
    return (
        kind.name in ("tuple", "list") and kind.element is not None and kind.element.name == "int"
    )


def fits(kind: Kind, wanted: str) -> bool | None:
    """Tell whether a value is of the kind that an overload wants; None when that is not known."""
    if kind.name == "unknown":
        return None
    if kind.name == "object":
        return False if wanted == "tensor" else None
    if kind.name == "array":
        return wanted == "tensor"
    if wanted == "optional_dtype":
        return kind.name == "dtype" and kind.optional
    if wanted == "complex":
        return _has_complex(kind)
    if wanted == "shape":
        return is_shape(kind)
    if wanted in CATEGORIES:
        if kind.name != "tensor":
            return False
        return None if kind.dtype is None else kind.dtype.startswith(CATEGORIES[wanted])
    if wanted == "number":
        return kind.name in (*NUMBERS, "number")
    if kind.name == "number" and wanted in NUMBERS:
        return None
    if wanted == "float":
        return kind.name in ("float", "int")
    if wanted == "sequence":
        return kind.name in ("tuple", "list", "shape", "modules")
    return kind.name == wanted


def _has_complex(kind: Kind) -> bool:
    """Tell whether a value is a complex number, or a display that holds one."""
    parts = kind.items or ((kind.element,) if kind.element is not None else ())
    return kind.name == "complex" or any(_has_complex(part) for part in parts)
