"""Write out arguments that a script unpacks from a display: `torch.sum(x, **{"dim": 1})`.

Which parameters `*args` and `**settings` fill is plain where they are displays, or names of the top
level that are bound once to a display and only unpacked and indexed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter

UNPACKED = re.compile(r"[(,]\s*\*{1,2}\s*[\w(\[{]")


def unpack_arguments(text: str, tree: ast.Module) -> str:
    """Return the text of a script with unpacked displays written out, on as many lines."""
    if UNPACKED.search(text) is None:
        return text
    displays = _Displays(tree)
    places: list[tuple[ast.Starred | ast.keyword, str]] = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or displays.is_own(call.func):
            continue
        for argument in (*call.args, *call.keywords):
            if not isinstance(argument, ast.Starred | ast.keyword):
                continue
            if isinstance(argument, ast.keyword) and argument.arg is not None:
                continue
            sources = displays.written(text, argument.value)
            if sources and all(sources) and argument.lineno == argument.end_lineno:
                places.append((argument, ", ".join(filter(None, sources))))
    lines = text.splitlines(keepends=True)
    for place, written in sorted(places, key=lambda item: -item[0].col_offset):
        line = lines[place.lineno - 1].encode()
        changed = line[: place.col_offset] + written.encode() + line[place.end_col_offset :]
        lines[place.lineno - 1] = changed.decode()
    return "".join(lines)


class _Displays:
    """The displays of a module that a call may unpack."""

    def __init__(self, tree: ast.Module) -> None:
        nodes = list(ast.walk(tree))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        self.stored = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
        self.defined = {
            node.name
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        taken = {node.arg for node in nodes if isinstance(node, ast.arg)}
        plain = {part for node in nodes for part in _unpacked_or_indexed(node)}
        misused = {n.id for n in names if isinstance(n.ctx, ast.Load) and n not in plain}
        self.bound = {
            item.targets[0].id: item.value
            for item in tree.body
            if isinstance(item, ast.Assign)
            and len(item.targets) == 1
            and isinstance(item.targets[0], ast.Name)
            and self.stored[item.targets[0].id] == 1
            and item.targets[0].id not in misused | taken
        }

    def is_own(self, function: ast.expr) -> bool:
        """Tell whether a call is one of a function or value of the module itself."""
        return isinstance(function, ast.Name) and (
            function.id in self.defined or function.id in self.stored
        )

    def written(self, text: str, value: ast.expr) -> list[str | None]:
        """Return the arguments that a value is unpacked to, None for one of several lines."""
        name = value.id if isinstance(value, ast.Name) else None
        known = value if name is None else self.bound.get(name)
        sources: list[str | None] = []
        for place, (key, part) in enumerate(_arguments(known) or ()):
            source = ast.get_source_segment(text, part)
            if name is not None and not self._stays(part):
                source = f"{name}[{place if key is None else repr(key)}]"
            if source is not None and key is not None:
                source = f"{key}={source}"
            sources.append(None if source is None or "\n" in source else source)
        return sources

    def _stays(self, value: ast.expr) -> bool:
        """Tell whether an expression has the same value where the display is unpacked."""
        if isinstance(value, ast.Tuple | ast.List):
            return all(map(self._stays, value.elts))
        if isinstance(value, ast.UnaryOp):
            return isinstance(value.operand, ast.Constant)
        if isinstance(value, ast.Attribute):
            return isinstance(value.value, ast.Name) and self.stored[value.value.id] == 0
        if isinstance(value, ast.Name):
            return self.stored[value.id] <= 1
        return isinstance(value, ast.Constant)


def _unpacked_or_indexed(node: ast.AST) -> list[ast.expr]:
    """Return what a node unpacks or reads an item of, which leaves it as it is."""
    if isinstance(node, ast.Starred) or (isinstance(node, ast.keyword) and node.arg is None):
        return [node.value]
    return (
        [node.value] if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) else []
    )


def _arguments(display: ast.expr | None) -> list[tuple[str | None, ast.expr]] | None:
    """Return the arguments that a display holds: without names of a sequence, else with."""
    if isinstance(display, ast.Tuple | ast.List):
        starred = any(isinstance(item, ast.Starred) for item in display.elts)
        return None if starred else [(None, item) for item in display.elts]
    if isinstance(display, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in display.keys]
        named = [key for key in keys if isinstance(key, str) and key.isidentifier()]
        return list(zip(named, display.values, strict=True)) if len(named) == len(keys) else None
    if (
        isinstance(display, ast.Call)
        and isinstance(display.func, ast.Name)
        and display.func.id == "dict"
        and not display.args
        and all(keyword.arg for keyword in display.keywords)
    ):
        return [(keyword.arg, keyword.value) for keyword in display.keywords]
    return None
