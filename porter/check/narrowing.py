"""Work out what a test of an `if` says of the kinds of names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from porter.source.names import dotted

SEQUENCES = frozenset(["tuple", "list", "Tuple", "List", "Sequence"])
PLAIN = frozenset(["int", "float", "bool", "complex", "Number", "Integral", "Real"])
CONST, DICT, LIST, UNKNOWN = "const", "dict", "list", "unknown"


def narrowed(test: ast.expr, holds: bool) -> dict[str, str]:
    """Return the names that a test shows to be no tensors, where it holds or does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return narrowed(test.operand, not holds)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
        found: dict[str, str] = {}
        for part in test.values:
            found.update(narrowed(part, holds))
        return found
    if not isinstance(test, ast.Call) or not test.args or not isinstance(test.args[0], ast.Name):
        return {}
    function = dotted(test.func)
    name = test.args[0].id
    if function is not None and function[-1] == "is_tensor":
        return {} if holds else {name: CONST}
    if function == ("isinstance",) and len(test.args) == 2:
        words = _classes(test.args[1])
        if words == ["Tensor"]:
            return {} if holds else {name: CONST}
        if holds and words and SEQUENCES.issuperset(words):
            return {name: LIST}
        if holds and words and PLAIN.issuperset(words):
            return {name: CONST}
        if holds and words in (["dict"], ["Dict"]):
            return {name: DICT}
        if holds and "Tensor" not in words:
            return {name: UNKNOWN}
    return {}


def objects(test: ast.expr) -> Iterator[str]:
    """Yield the names that a test compares with a class of results: no tensors, however annotated.

    A parameter is often annotated as a tensor and handed an object or a tuple of tensors.
    """
    if isinstance(test, ast.UnaryOp):
        yield from objects(test.operand)
    elif isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from objects(part)
    elif (
        isinstance(test, ast.Call)
        and dotted(test.func) == ("isinstance",)
        and len(test.args) == 2
        and isinstance(test.args[0], ast.Name)
        and any(word.endswith("Output") for word in _classes(test.args[1]))
    ):
        yield test.args[0].id


def leaves(statements: Sequence[ast.stmt]) -> bool:
    """Tell whether a block never runs on into what stands behind it."""
    return bool(statements) and isinstance(
        statements[-1], ast.Return | ast.Raise | ast.Continue | ast.Break
    )


def _classes(node: ast.expr) -> list[str]:
    """Return the last names of the classes of an isinstance."""
    items = node.elts if isinstance(node, ast.Tuple) else [node]
    return [parts[-1] if (parts := dotted(item)) else "" for item in items]
