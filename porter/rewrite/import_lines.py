"""Write the lines of imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

IMPORT = re.compile(r"\s*(?:from [\w.]+ )?import [\w., ]+$")
WIDTH = 100


def splice(lines: list[str], node: ast.stmt, new: list[str], newline: str) -> None:
    """Write lines in place of a statement, which may share its line with others."""
    start, end = node.lineno - 1, node.end_lineno or node.lineno
    before = lines[start].encode()[: node.col_offset].decode()
    after = lines[end - 1].encode()[node.end_col_offset :].decode()
    if not new and after.lstrip().startswith(";") and after.strip() != ";":
        lines[start:end] = [before + after.lstrip().removeprefix(";").lstrip()]
    elif before.strip() or (after.strip() and not after.lstrip().startswith("#")):
        lines[start:end] = [before + ("; ".join(joined(new)) or "pass") + after]
    else:
        lines[start:end] = [before + line + newline for line in new]


def one_by_one(lines: list[str]) -> Iterator[str]:
    """Yield lines, with imports that share one on lines of their own."""
    for line in lines:
        parts = line.split("; ")
        if len(parts) > 1 and all(IMPORT.match(part) for part in parts):
            indent = line[: len(line) - len(line.lstrip())]
            yield "".join(f"{indent}{part.strip()}\n" for part in parts)
        else:
            yield line


def joined(lines: list[str]) -> Iterator[str]:
    """Yield statements, each on one line."""
    statement = ""
    for line in lines:
        statement += line if not statement else f" {line.strip()}"
        if not statement.endswith(("(", ",")):
            yield statement
            statement = ""


def from_lines(module: str, names: list[str]) -> list[str]:
    """Return an import of names from a module, on several lines where one is too long."""
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import (", *(f"    {name}," for name in names), ")"]
