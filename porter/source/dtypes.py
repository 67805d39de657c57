"""Know the dtype of a tensor, as far as the source says: by torch's own rules of promotion.

Which rule a function follows is listed in `[dtypes]` of `common.toml`. What is not known is None.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence

from porter.mapping.bind import Binding
from porter.mapping.schema import Overload
from porter.source.kinds import UNKNOWN, Kind

SPELLINGS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "byte": "uint8",
    "char": "int8",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
"""Other names of dtypes in torch, and the methods that convert to them."""
NAMES = frozenset({*SPELLINGS.values(), "bool", "bfloat16"})
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
TENSORS = {
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "CharTensor": "int8",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
}
"""Classes that say a dtype. Of FloatTensor nobody keeps the promise: it is half precision, too."""
ORDER = ("bool", *INTEGERS, *FLOATS, *COMPLEX)


def named_dtype(name: str | None) -> str | None:
    """Return the dtype that a full torch name says: `torch.long` is int64."""
    if name is None or not name.startswith("torch."):
        return None
    last = name[6:]
    last = SPELLINGS.get(last, last)
    return last if last in NAMES else None


def integral(dtype: str | None) -> bool:
    """Tell whether a dtype is known to be one of whole numbers or truth values."""
    return dtype == "bool" or dtype in INTEGERS


def promote(kinds: Sequence[Kind]) -> str | None:
    """Return the dtype of what arithmetic makes of values, as torch promotes them.

    A number of Python changes a tensor's dtype only where it is of a higher category. A tensor
    without axes counts as a number in torch; where it is mixed with another dtype nothing is said.
    """
    tensors = [kind.dtype for kind in kinds if kind.name == "tensor"]
    if not tensors or None in tensors or any(kind.name == "unknown" for kind in kinds):
        return None
    known = {dtype for dtype in tensors if dtype is not None}
    categories = {_category(dtype) for dtype in known}
    numbers = [kind.name for kind in kinds if kind.name != "tensor"]
    if not set(numbers) <= {"bool", "int", "float"}:
        return None
    if len(known) > 1:
        return _mixed(known) if len(categories) == len(known) else None
    (dtype,) = known
    if "float" in numbers and _category(dtype) < 2:
        return "float32"
    return "int64" if "int" in numbers and dtype == "bool" else dtype


def _mixed(known: set[str]) -> str | None:
    """Return the dtype of the highest category, of tensors with axes."""
    if any(dtype in COMPLEX for dtype in known):
        return None
    return max(known, key=ORDER.index)


def _category(dtype: str) -> int:
    if dtype == "bool":
        return 0
    return 1 if dtype in INTEGERS else 2 if dtype in FLOATS else 3


def divide(kinds: Sequence[Kind]) -> str | None:
    """Return the dtype of a true division: whole numbers give float32."""
    dtype = promote(kinds)
    return "float32" if integral(dtype) else dtype


class _Asked:
    """What a rule may ask of a call: its arguments and their kinds, and a dtype that it was given.

    `given` is the dtype argument as a dtype, "" where there is none, None where it is not known.
    """

    def __init__(
        self, name: str, overload: Overload, binding: Binding, kinds: AbstractMapping[ast.AST, Kind]
    ) -> None:
        self.name = name.rpartition(".")[2].removesuffix("_")
        self.given: str | None = ""
        self.arguments: dict[str, tuple[ast.expr, Kind]] = {}
        self.known = kinds
        for parameter in overload.signature.parameters if overload.signature else ():
            values = binding.variadic.get(parameter.name, ())
            if parameter.name in binding.values:
                values = (binding.values[parameter.name],)
            for value in values:
                kind = kinds.get(value, UNKNOWN)
                if kind.name == "dtype" or (parameter.name == "dtype" and kind.name != "none"):
                    self.given = kind.dtype
                elif parameter.name not in ("condition", "device", "out"):
                    self.arguments.setdefault(parameter.name, (value, kind))

    @property
    def kinds(self) -> list[Kind]:
        return [kind for _, kind in self.arguments.values()]

    @property
    def tensors(self) -> list[Kind]:
        found = []
        for value, kind in self.arguments.values():
            if isinstance(value, ast.List | ast.Tuple):
                parts = tuple(self.known.get(part, UNKNOWN) for part in value.elts)
                found += [part for part in parts if part.name == "tensor"]
            elif kind.name in ("list", "tuple"):
                parts = kind.items or ((kind.element,) if kind.element else ())
                found += [part for part in parts if part.name == "tensor"]
            elif kind.name == "tensor":
                found.append(kind)
        return found

    @property
    def first(self) -> str | None:
        tensors = self.tensors
        return tensors[0].dtype if tensors else None


def dtype_of(
    rule: str,
    name: str,
    overload: Overload,
    binding: Binding,
    kinds: AbstractMapping[ast.AST, Kind],
) -> str | None:
    """Return the dtype of the result of a function by its rule; None where it is not known."""
    asked = _Asked(name, overload, binding, kinds)
    if rule in ("bool", "int64"):
        return rule
    if rule == "converted":
        return _converted(asked)
    if asked.given != "":
        return asked.given
    match rule:
        case "same" | "alike":
            return asked.first
        case "promoted":
            numbers = [kind for kind in asked.kinds if kind.name in ("int", "float", "bool")]
            return promote([*asked.tensors, *(numbers if asked.name in _WITH_NUMBERS else [])])
        case "divided":
            if "rounding_mode" in asked.arguments:
                return promote([k for k in asked.kinds if k.name not in ("str", "none")])
            return divide(asked.kinds)
        case "floating":
            return "float32" if integral(asked.first) else asked.first
        case "summed":
            return "int64" if integral(asked.first) else asked.first
        case "created":
            return "float32"
        case "complex":
            return "complex128" if asked.first == "float64" else "complex64"
        case "real":
            return {"complex64": "float32", "complex128": "float64"}.get(
                asked.first or "", asked.first
            )
        case "ranged":
            names = {kind.name for kind in asked.kinds if kind.name != "dtype"}
            return "int64" if names == {"int"} else "float32" if "float" in names else None
        case "literal":
            node = next(iter(asked.arguments.values()), (None, None))[0]
            return _literal(node)
        case "filled":
            return _literal(asked.arguments.get("fill_value", (None, None))[0])
    return None


_WITH_NUMBERS = frozenset(
    [
        "add",
        "clamp",
        "clip",
        "floor_divide",
        "fmod",
        "mul",
        "multiply",
        "pow",
        "remainder",
        "rsub",
        "sub",
        "subtract",
        "where",
    ]
)


def _converted(asked: _Asked) -> str | None:
    """Return the dtype that a conversion names: `x.long()`, `x.to(torch.int64)`, `x.type_as(y)`."""
    if asked.name in SPELLINGS or asked.name in ("bool", "bfloat16"):
        return SPELLINGS.get(asked.name, asked.name)
    if asked.name == "type_as":
        return asked.tensors[1].dtype if len(asked.tensors) == 2 else None
    if asked.given != "":
        return asked.given
    # `x.to(device)` keeps the dtype; `x.to(other)` may take that of another tensor.
    others = [kind.name for kind in asked.kinds[1:]]
    return asked.first if all(name in ("device", "bool", "str") for name in others) else None


def _literal(node: ast.expr | None) -> str | None:
    """Return the dtype that torch.tensor gives numbers that are written out."""
    if node is None:
        return None
    try:
        value = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        return None
    found: set[type] = set()
    queue = [value]
    while queue:
        item = queue.pop()
        if isinstance(item, list | tuple):
            queue.extend(item)
        else:
            found.add(type(item))
    for kind, dtype in ((complex, "complex64"), (float, "float32"), (int, "int64"), (bool, "bool")):
        if kind in found:
            return dtype if found <= {complex, float, int, bool} else None
    return None
