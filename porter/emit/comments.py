"""Find the comments of a source that its port no longer has, and keep the others in place."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator

from porter.rewrite.layout import split_lines

COMMENT = re.compile(r"#.*")


def dropped_comments(
    source: str, port: str, removed: Iterable[ast.AST]
) -> Iterator[tuple[int, int, str]]:
    """Yield (line, column, text), 1-based, of each comment lost outside of removed code.

    Text after a `#` inside a string counts like a comment on both sides, which is harmless.
    """
    missing = Counter(COMMENT.findall(source)) - Counter(COMMENT.findall(port))
    if not missing:
        return
    gone: set[int] = set()
    for node in removed:
        end = getattr(node, "end_lineno", None)
        if end is not None:
            gone.update(range(getattr(node, "lineno", end), end + 1))
    lines = source.splitlines()
    kept: list[tuple[int, int, str]] = []
    for number, line in enumerate(lines, start=1):
        found = COMMENT.search(line)
        if found is None or found.group() not in missing:
            continue
        alone = not line[: found.start()].strip()
        if number in gone or (alone and _next_code(lines, number) in gone):
            # The same comment may stand in code that is kept, too.
            missing[found.group()] -= 1
        else:
            kept.append((number, found.start() + 1, found.group()))
    for number, column, text in kept:
        if missing[text] > 0:
            missing[text] -= 1
            yield number, column, text


def _next_code(lines: list[str], number: int) -> int:
    """Return the line of the code that a comment on its own line stands above."""
    for following in range(number + 1, len(lines) + 1):
        text = lines[following - 1].strip()
        if text and not text.startswith("#"):
            return following
    return number


def indented_comments(text: str, tree: ast.Module) -> str:
    """Return a module's text with comments in functions not left of the function's own body.

    MindSpore's parser takes the margin of a function from its leftmost line, comments too. `tree`
    is that of the text: no line moves, and no code.
    """
    lines = split_lines(text)
    left = {
        number: line.index("#")
        for number, line in enumerate(lines, 1)
        if line.lstrip().startswith("#")
    }
    margins: dict[int, int] = {}
    for function in _functions(tree.body):
        margin = function.body[0].col_offset
        for number in range(function.lineno, (function.end_lineno or function.lineno) + 1):
            if left.get(number, margin) < margin:
                margins[number] = max(margins.get(number, 0), margin)
    if not margins:
        return text
    # What begins with "#" may be a line of a text.
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        number = token.start[0]
        if token.type == tokenize.COMMENT and number in margins:
            lines[number - 1] = " " * margins[number] + lines[number - 1].lstrip()
    return "".join(lines)


def _functions(body: Iterable[ast.AST]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions among statements, and those that these hold."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from _functions(getattr(node, field, ()))
