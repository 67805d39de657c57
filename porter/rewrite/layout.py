"""Carry the layout of a call over to what takes its place: commas, line breaks, comments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import libcst as cst

from porter.plan.edits import ClassBody, LeaveOut, ToDict
from porter.rewrite.template import COMMA

BLOCKS = (cst.IndentedBlock, cst.SimpleStatementSuite, cst.Else, cst.Finally, cst.ExceptHandler)

TIGHT_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def split_lines(text: str) -> list[str]:
    """Split where Python counts lines; `str.splitlines` also splits at form feeds."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)


def comments_of(tree: cst.CSTNode) -> Iterator[str]:
    """Yield the comments within a statement, apart from those above it and in its blocks."""
    for child in tree.children:
        if isinstance(child, cst.Comment):
            yield child.value
        elif not isinstance(child, BLOCKS):
            yield from comments_of(child)


def with_comments(tree: Any, new: Any) -> Any:
    """Put the comments that a rewritten statement lost above it."""
    missing = Counter(comments_of(tree)) - Counter(comments_of(new))
    if not missing:
        return new
    lines = [cst.EmptyLine(comment=cst.Comment(text)) for text in missing.elements()]
    return new.with_changes(leading_lines=[*new.leading_lines, *lines])


def laid_out(tree: cst.Call, new: cst.Call) -> cst.Call:
    """Give the arguments of a written call the commas, lines and comments of the source."""
    if not tree.args:
        return new
    by_value = {
        id(item.value): item for item in tree.args if not isinstance(item.comma, cst.MaybeSentinel)
    } | {id(tree.args[-1].value): tree.args[-1]}
    kept = [by_value.get(id(argument.value)) for argument in new.args]
    if not any(kept):
        return new
    args: list[cst.Arg] = []
    for position, (argument, source) in enumerate(zip(new.args, kept, strict=True)):
        last = position == len(new.args) - 1
        if source is None:
            args.append(argument.with_changes(comma=cst.MaybeSentinel.DEFAULT if last else COMMA))
            continue
        comma: Any = source.comma if isinstance(source.comma, cst.Comma) else COMMA
        if last:
            comma = tree.args[-1].comma
        args.append(
            argument.with_changes(
                comma=comma,
                whitespace_after_arg=tree.args[-1].whitespace_after_arg
                if last
                else cst.SimpleWhitespace(""),
            )
        )
    return new.with_changes(args=args, whitespace_before_args=tree.whitespace_before_args)


def to_dict(tree: cst.Call, edit: ToDict) -> cst.Dict:
    """Return the dict display of a call's arguments."""
    elements: list[cst.BaseDictElement] = []
    for position, (key, argument) in enumerate(zip(edit.keys, tree.args, strict=True)):
        last = position == len(tree.args) - 1
        comma: Any = argument.comma
        if last and not isinstance(comma, cst.Comma):
            comma = cst.MaybeSentinel.DEFAULT
        elements.append(
            cst.DictElement(
                cst.SimpleString(f'"{key}"'),
                argument.value,
                comma=comma,
                whitespace_before_colon=cst.SimpleWhitespace(""),
            )
        )
    after = tree.args[-1].whitespace_after_arg if tree.args else cst.SimpleWhitespace("")
    return cst.Dict(
        elements,
        lbrace=cst.LeftCurlyBrace(whitespace_after=tree.whitespace_before_args),
        rbrace=cst.RightCurlyBrace(whitespace_before=after),
        lpar=tree.lpar,
        rpar=tree.rpar,
    )


def same_dot(tree: cst.Call, new: cst.Call) -> cst.Call:
    """Keep the line break before the dot of a method where the receiver stays the receiver."""
    old, func = tree.func, new.func
    if (
        isinstance(old, cst.Attribute)
        and isinstance(func, cst.Attribute)
        and func.value is old.value
    ):
        return new.with_changes(func=func.with_changes(dot=old.dot))
    return new


def with_parameter(parameters: cst.Parameters, name: str) -> cst.Parameters:
    """Return parameters with one more, on a line of its own where the last one has one."""
    *others, last = parameters.params
    layout = last.comma if isinstance(last.comma, cst.Comma) else cst.MaybeSentinel.DEFAULT
    new = cst.Param(cst.Name(name), equal=TIGHT_EQUAL, default=cst.Name("None"), comma=layout)
    return parameters.with_changes(params=[*others, last, new])


def raising(name: str, edit: LeaveOut) -> cst.FunctionDef:
    """Return a method that says that it was left out."""
    decorators = "".join(f"@{decorator}\n" for decorator in edit.decorators)
    body = f'    raise NotImplementedError("{edit.message}")\n'
    text = f"{decorators}def {name}(*args, **kwargs):\n{body}"
    tree = cst.parse_statement(text)
    assert isinstance(tree, cst.FunctionDef)
    return tree


def is_pass(tree: Any) -> bool:
    """Tell whether a line holds nothing but `pass`."""
    return isinstance(tree, cst.SimpleStatementLine) and all(
        isinstance(item, cst.Pass) for item in tree.body
    )


def inserted_into(body: list[Any], insertion: ClassBody) -> list[Any]:
    """Put lines after a class's docstring, a blank line before what follows."""
    lines: list[Any] = [cst.parse_statement(line) for line in insertion.lines]
    blank = [cst.EmptyLine(indent=False)]
    lines = [
        line.with_changes(leading_lines=blank)
        if number and isinstance(line, cst.FunctionDef)
        else line
        for number, line in enumerate(lines)
    ]
    documented = bool(body) and (
        isinstance(body[0], cst.SimpleStatementLine)
        and isinstance(body[0].body[0], cst.Expr)
        and isinstance(body[0].body[0].value, cst.SimpleString | cst.ConcatenatedString)
    )
    start = 1 if documented else 0
    if documented:
        lines[0] = lines[0].with_changes(leading_lines=blank)
    if len(body) > start:
        following = body[start]
        if not following.leading_lines:
            body[start] = following.with_changes(leading_lines=blank)
    return [*body[:start], *lines, *body[start:]]
