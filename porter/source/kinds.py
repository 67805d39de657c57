"""Name the kinds of value that porter tells apart, and join them where paths meet."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value is, as far as the source says.

    `name` is one of tensor, int, float, bool, str, none, dtype, device, shape (a tuple of ints),
    tuple, list, dict, module, modules (a list of modules), config, function, class, output (a
    structured result), context (of an autograd function) and unknown. `sure` is false where only
    usage suggests the kind. `optional` marks values that may be None.
    """

    name: str
    items: tuple[Kind, ...] | None = None
    element: Kind | None = None
    cls: str | None = None
    fields: tuple[tuple[str, Kind], ...] = ()
    optional: bool = False
    sure: bool = True

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
BOOL = Kind("bool")
STR = Kind("str")
NONE = Kind("none")
DTYPE = Kind("dtype")
DEVICE = Kind("device")
SHAPE = Kind("shape")
DICT = Kind("dict")
NUMBERS = ("int", "float", "bool")


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
    return Kind(result)


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
        if (
            left.name == "tuple"
            and left.items
            and right.items
            and len(left.items) == len(right.items)
        ):
            items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
            return Kind("tuple", items=items, optional=optional, sure=sure)
        if left.name == "output":
            names = [name for name, _ in left.fields]
            shared = tuple(
                (name, join(kind, right.field(name) or NONE)) for name, kind in left.fields
            ) + tuple((name, join(kind, NONE)) for name, kind in right.fields if name not in names)
            return replace(left, fields=shared, optional=optional, sure=sure)
        same = left.cls == right.cls and left.element == right.element and left.items == right.items
        if same or left.name not in ("module", "modules", "class", "function", "list", "tuple"):
            return replace(left, optional=optional, sure=sure)
        return Kind(left.name, optional=optional, sure=sure)
    if is_shape(left) and is_shape(right):
        return replace(SHAPE, optional=optional)
    if left.name in NUMBERS and right.name in NUMBERS:
        return FLOAT
    return UNKNOWN


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
    if wanted == "shape":
        return is_shape(kind)
    if wanted == "number":
        return kind.name in NUMBERS
    if wanted == "float":
        return kind.name in ("float", "int")
    if wanted == "sequence":
        return kind.name in ("tuple", "list", "shape", "modules")
    return kind.name == wanted
