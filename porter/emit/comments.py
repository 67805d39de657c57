"""Find the comments of a source that its port no longer has, and keep the others in place."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator

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


def indented_comments(text: str) -> str:
    """Return a module's text with comments in functions not left of the function's own body.

    MindSpore's parser takes the margin of a function from its leftmost line, comments too.
    """
    lines = text.splitlines(keepends=True)
    margins: dict[int, int] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                margins[line] = max(margins.get(line, 0), node.body[0].col_offset)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line, column = token.start
        alone = token.type == tokenize.COMMENT and not token.line[:column].strip()
        if alone and column < margins.get(line, 0):
            lines[line - 1] = " " * margins[line] + lines[line - 1].lstrip()
    return "".join(lines)
