"""Put statements that are written already into a function of their own."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from porter.plan.edits import Enclose
from porter.rewrite.template import Filler, fill, parse_statement

BLANK = cst.EmptyLine(indent=False)


@dataclass(slots=True)
class Group:
    """Statements of one line, or one compound statement, and the lines that they became."""

    nodes: list[ast.stmt]
    lines: list[Any] = field(default_factory=list)


def enclosed(
    groups: list[Group], edit: Enclose, filler: Filler, written: dict[ast.stmt, list[Any]]
) -> list[Group]:
    """Return the groups with those of an edit as one: a function, and what calls it.

    The groups of a line that holds the first or the last statement go into the function whole.
    `written` has what each statement became, for those that the function computes once more.
    """
    place = _find(groups, edit.place)
    first = place if edit.first is None else _find(groups, edit.first)
    end = first if edit.last is None else _find(groups, edit.last) + 1
    taken = groups[first:end]
    lines = [line for group in taken for line in group.lines]
    leading: Sequence[cst.EmptyLine] = ()
    if lines:
        leading = lines[0].leading_lines
        lines[0] = lines[0].with_changes(leading_lines=[])
    elif groups[place].lines:
        following = groups[place].lines[0]
        leading = following.leading_lines
        groups[place].lines[0] = following.with_changes(leading_lines=[])
    if any(group.lines for group in groups[:first]) and not any(
        line.comment is None for line in leading
    ):
        leading = [BLANK, *leading]
    template = cst.parse_statement(f"{edit.header}\n    pass\n")
    assert isinstance(template, cst.FunctionDef)
    result = cst.SimpleStatementLine([fill(parse_statement(edit.result), filler, {})])
    copies = [line.with_changes(leading_lines=[]) for node in edit.copies for line in written[node]]
    function = template.with_changes(
        body=cst.IndentedBlock([*copies, *lines, result]), leading_lines=leading
    )
    after = [
        cst.SimpleStatementLine([fill(parse_statement(line), filler, {})]) for line in edit.after
    ]
    after[0] = after[0].with_changes(leading_lines=[BLANK])
    whole = Group([node for group in taken for node in group.nodes], [function, *after])
    return [*groups[:first], whole, *groups[end:]]


def _find(groups: list[Group], node: ast.stmt) -> int:
    return next(position for position, group in enumerate(groups) if node in group.nodes)
