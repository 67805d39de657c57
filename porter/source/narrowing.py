"""Tell what a condition says of the kinds of names where it holds and where it does not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import reduce

from porter.source.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    SHAPE,
    STR,
    TENSOR,
    UNKNOWN,
    Kind,
    fits,
    join,
)

CLASSES = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "list": Kind("list"),
    "tuple": Kind("tuple"),
    "dict": Kind("dict"),
    "set": Kind("set"),
    "torch.Tensor": TENSOR,
    "torch.nn.Parameter": TENSOR,
    "torch.Size": SHAPE,
    "numpy.ndarray": Kind("array"),
    "collections.abc.Sequence": Kind("list"),
    "collections.abc.Mapping": Kind("dict"),
}
Lookup = Callable[[str], Kind]
Resolve = Callable[[ast.expr], str | None]
Instance = Callable[[str], Kind]


def narrowed(
    test: ast.expr, holds: bool, kind_of: Lookup, resolve: Resolve, instance: Instance
) -> Iterator[tuple[str, Kind]]:
    """Give the names whose kinds a condition settles, with the kinds.

    Args:
        holds: whether the condition is true here.
        kind_of: gives what is known of a name so far.
        resolve: gives the qualified name of an expression, plain for a builtin.
        instance: gives the kind of an instance of a class by its qualified name, or of classes by
            a part of their name, "*Norm*".
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from narrowed(test.operand, not holds, kind_of, resolve, instance)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) == holds:
            for value in test.values:
                yield from narrowed(value, holds, kind_of, resolve, instance)
    elif isinstance(test, ast.Compare) and _compares_with_none(test):
        assert isinstance(test.left, ast.Name)
        if isinstance(test.ops[0], ast.Is) == holds:
            yield test.left.id, NONE
        else:
            yield test.left.id, _present(kind_of(test.left.id))
    elif isinstance(test, ast.Compare) and (found := _name_of_class(test)) and holds:
        name, text = found
        if kind_of(name).name == "unknown" or _is_any_module(kind_of(name)):
            kind = instance(f"*{text}*")
            if kind.name != "unknown":
                yield name, kind
    elif isinstance(test, ast.Compare) and (asked := type_test(test)) and holds != asked[2]:
        call = ast.Call(ast.Name("isinstance", ast.Load()), [asked[0], asked[1]], [])
        yield from _by_class(call, True, kind_of, resolve, instance)
    elif isinstance(test, ast.Name) and holds:
        yield test.id, _present(kind_of(test.id))
    elif isinstance(test, ast.Call):
        yield from _by_class(test, holds, kind_of, resolve, instance)


def cannot_be(test: ast.expr, holds: bool, kind_of: Lookup) -> bool:
    """Tell whether a comparison with None cannot come out as told, of a name that is None."""
    if not (isinstance(test, ast.Compare) and _compares_with_none(test)):
        return False
    assert isinstance(test.left, ast.Name)
    return kind_of(test.left.id).name == "none" and isinstance(test.ops[0], ast.Is) != holds


def _present(kind: Kind) -> Kind:
    return UNKNOWN if kind.name == "none" else kind.required


def _compares_with_none(test: ast.Compare) -> bool:
    return (
        isinstance(test.left, ast.Name)
        and isinstance(test.ops[0], ast.Is | ast.IsNot)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


def _name_of_class(test: ast.Compare) -> tuple[str, str] | None:
    """Return the name and the text of `"Text" in name.__class__.__name__`."""
    match test:
        case ast.Compare(
            left=ast.Constant(value=str(text)),
            ops=[ast.In()],
            comparators=[
                ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id=name), attr="__class__"), attr="__name__"
                )
            ],
        ):
            return name, text
    return None


def type_test(test: ast.Compare) -> tuple[ast.expr, ast.expr, bool] | None:
    """Return value and class of `type(value) == cls`, and whether the test is turned round."""
    match test:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type"), args=[value], keywords=[]),
            ops=[ast.Eq() | ast.Is() | ast.NotEq() | ast.IsNot() as operator],
            comparators=[ast.Name() | ast.Attribute() as cls],
        ):
            return value, cls, isinstance(operator, ast.NotEq | ast.IsNot)
    return None


def _by_class(
    test: ast.Call, holds: bool, kind_of: Lookup, resolve: Resolve, instance: Instance
) -> Iterator[tuple[str, Kind]]:
    if not test.args or not isinstance(test.args[0], ast.Name):
        return
    name = test.args[0].id
    called = resolve(test.func)
    if called == "torch.is_tensor":
        wanted = [TENSOR]
    elif called == "isinstance" and len(test.args) == 2:
        classes = _alternatives(test.args[1])
        spelled = [resolve(item) or "" for item in classes]
        wanted = [CLASSES.get(item) or instance(item) for item in spelled]
    else:
        return
    kind = kind_of(name)
    if holds:
        asked = reduce(join, wanted)
        known = kind.required
        if any(known.name == item.name for item in wanted) and known.name != "module":
            yield name, known
        elif asked.name != "unknown":
            yield name, asked
        elif {item.name for item in wanted} <= {"list", "tuple"} and known.name == "unknown":
            yield name, Kind("tuple")
        elif all(item.name not in ("unknown", "tensor") for item in wanted):
            yield name, Kind("object")
        elif known.name in ("int", "float", "str"):
            yield name, UNKNOWN
    elif _is_any_module(kind):
        return  # what is no Linear is a module still
    elif kind.name != "unknown" and any(fits(kind, item.name) for item in wanted):
        yield name, NONE if kind.optional else UNKNOWN


def _is_any_module(kind: Kind) -> bool:
    return kind.name == "module" and kind.cls == "torch.nn.Module"


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Tuple):
        return list(node.elts)
    if isinstance(node, ast.BinOp):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    return [node]
