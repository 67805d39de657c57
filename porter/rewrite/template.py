"""Fill `emit` templates with rewritten expressions, parenthesised where precedence needs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

import libcst as cst

PLACEHOLDER = re.compile(r"\{(\w+)\}")
PREFIX = "PORTER_VALUE_"
ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.SimpleString,
    cst.FormattedString,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.ListComp,
    cst.SetComp,
    cst.DictComp,
    cst.Ellipsis,
)
NUMBERS = (cst.Integer, cst.Float, cst.Imaginary)
TIGHT = (cst.Attribute, cst.Call, cst.Subscript)
OPERATIONS = (
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.Comparison,
    cst.BooleanOperation,
    cst.IfExp,
    cst.Await,
)
COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))

Filler = Callable[[str], cst.BaseExpression | Sequence[cst.BaseExpression] | None]


def atomic(node: cst.CSTNode) -> bool:
    """Tell whether an expression can stand anywhere without parentheses."""
    return bool(getattr(node, "lpar", ())) or isinstance(node, ATOMS)


def parenthesised(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression in parentheses, unless it is in some already."""
    if getattr(node, "lpar", ()):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


@lru_cache(maxsize=4096)
def parse(template: str) -> cst.BaseExpression:
    """Parse a template, its placeholders as names."""
    return cst.parse_expression(PLACEHOLDER.sub(lambda m: PREFIX + m.group(1), template))


@lru_cache(maxsize=1024)
def parse_statement(template: str) -> cst.BaseSmallStatement:
    """Parse a template of one simple statement."""
    line = parse_line(template)
    if not isinstance(line, cst.SimpleStatementLine):
        raise ValueError(f"not a simple statement: {template}")
    return line.body[0]


@lru_cache(maxsize=1024)
def parse_line(template: str) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    """Parse a template of one statement, which may have a block."""
    return cst.parse_statement(PLACEHOLDER.sub(lambda m: PREFIX + m.group(1), template))


@lru_cache(maxsize=256)
def _parts(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    skipped = (
        "lpar",
        "rpar",
        "comma",
        "equal",
        "lbracket",
        "rbracket",
        "semicolon",
        "dot",
        "asname",
    )
    return tuple(
        item.name
        for item in fields(kind)
        if not item.name.startswith("whitespace") and item.name not in skipped
    )


def placeholder(node: Any) -> str | None:
    """Return the name of the value that a template node stands for."""
    if isinstance(node, cst.Name) and node.value.startswith(PREFIX):
        return node.value[len(PREFIX) :]
    return None


def fill(
    node: Any, filler: Filler, defaults: dict[str, str], parent: cst.CSTNode | None = None
) -> Any:
    """Return a template tree with its placeholders filled.

    Args:
        filler: gives the value of a name: an expression, several (one tuple), or None for a value
            that the caller of the torch function did not give.
        defaults: source text for values that were not given.
    """
    name = placeholder(node)
    if name is not None:
        value = filler(name)
        if value is None:
            value = cst.parse_expression(defaults.get(name, "None"))
        if not isinstance(value, cst.BaseExpression):
            return tuple_of(value)
        return fitted(value, parent)
    if not isinstance(node, cst.CSTNode):
        return node
    changes: dict[str, Any] = {}
    for part in _parts(type(node)):
        old = getattr(node, part)
        if isinstance(old, cst.CSTNode):
            new = fill(old, filler, defaults, node)
            if new is not old:
                changes[part] = new
        elif isinstance(old, list | tuple) and old:
            items = [
                part
                for item in old
                if not _left_out(item, filler)
                for part in _spread(item, filler)
            ]
            new_items = [fill(item, filler, defaults, node) for item in items]
            # Against `old`: one value spread over one argument leaves the number as it was.
            if len(items) != len(old) or any(
                a is not b for a, b in zip(old, new_items, strict=True)
            ):
                changes[part] = _without_last_comma(new_items)
    return node.with_changes(**changes) if changes else node


def _left_out(item: Any, filler: Filler) -> bool:
    """A call argument that is one placeholder disappears when its value was not given."""
    if not isinstance(item, cst.Arg):
        return False
    name = placeholder(item.value)
    return name is not None and filler(name) is None


def _spread(item: Any, filler: Filler) -> list[Any]:
    """An argument `*{values}` becomes one argument for each of several values."""
    if not (isinstance(item, cst.Arg) and item.star == "*"):
        return [item]
    name = placeholder(item.value)
    values = filler(name) if name is not None else None
    if values is None or isinstance(values, cst.BaseExpression):
        return [item]
    spread = []
    for value in values:
        if isinstance(value, cst.StarredElement):
            spread.append(cst.Arg(value.value, star="*", comma=COMMA))
        else:
            spread.append(cst.Arg(value, comma=COMMA))
    if spread:
        spread[-1] = spread[-1].with_changes(comma=item.comma)
    return spread


def _without_last_comma(items: list[Any]) -> list[Any]:
    if items and isinstance(items[-1], cst.Arg) and isinstance(items[-1].comma, cst.Comma):
        items[-1] = items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return items


def fitted(value: cst.BaseExpression, parent: cst.CSTNode | None) -> cst.BaseExpression:
    """Parenthesise a value where its place in the template binds tighter than the value does."""
    if atomic(value):
        return value
    if isinstance(value, NUMBERS) and not isinstance(parent, cst.Attribute):
        return value
    if isinstance(parent, (*TIGHT, *OPERATIONS)):
        return parenthesised(value)
    if isinstance(value, cst.GeneratorExp | cst.NamedExpr | cst.Tuple | cst.Yield | cst.Lambda):
        return parenthesised(value)
    return value


def tuple_of(values: Sequence[cst.BaseExpression]) -> cst.Tuple:
    """Return `(a, b)`, or `(a,)`, from several expressions, starred ones included."""
    elements: list[cst.BaseElement] = []
    for position, value in enumerate(values):
        last = position == len(values) - 1
        comma = cst.MaybeSentinel.DEFAULT if last and len(values) > 1 else COMMA
        if last and len(values) == 1:
            comma = cst.Comma()
        if isinstance(value, cst.StarredElement):
            elements.append(value.with_changes(comma=comma))
        else:
            elements.append(cst.Element(value, comma=comma))
    return cst.Tuple(elements)
