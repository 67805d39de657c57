"""Mend what the rules can mend: apply edits, see to the imports, until nothing is left."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import libcst as cst

from porter.check.checker import Problem, check_modules
from porter.check.project import Project
from porter.emit.report import Selection
from porter.plan.edits import Edit
from porter.rewrite.layout import split_lines
from porter.rewrite.statements import StatementRewriter
from porter.source.read import SourceModule
from porter.types import PorterError

IMPORTS = {
    "ms": "import mindspore as ms",
    "ops": "from mindspore import ops",
    "nn": "from mindspore import nn",
}
PRUNED = ("functools", "math", "mindspore", "numpy", "typing")
ROUNDS = 10


def fixed_text(text: str, path: Path, wanted: Sequence[str], ignored: Sequence[str]) -> str:
    """Return the text of one file with all that can be mended mended; the rest is left as it is.

    Args:
        wanted: prefixes of the codes to mend; none means all.
        ignored: prefixes of codes to leave alone.

    Raises:
        PorterError: PRT001 where the text is not Python, PRT904 where mending breaks it.
    """
    chosen = Selection(tuple(wanted), tuple(ignored))
    for _ in range(ROUNDS):
        project = Project()
        names = project.add_text(text, path)
        problems = [
            item
            for item in check_modules(project, [names], wanted)
            if item.fix is not None and item.path == path and chosen.has(item.finding.code)
        ]
        if not problems:
            return text
        text = _applied(text, names.module, problems)
    return text


def _applied(text: str, module: SourceModule, problems: list[Problem]) -> str:
    """Apply the edits of one round; of two that overlap, one waits for the next."""
    edits: dict[ast.AST, list[Edit]] = {}
    needs: set[str] = set()
    taken: set[ast.AST] = set()
    for problem in sorted(problems, key=lambda item: _place_of(item.node)):
        assert problem.fix is not None
        nodes = {
            part
            for node, _ in problem.fix.edits
            for part in ast.walk(node)
            if isinstance(part, ast.expr | ast.stmt)  # the tree shares nodes such as Load
        }
        if nodes & taken:
            continue
        taken |= nodes
        needs |= problem.fix.needs
        for node, edit in problem.fix.edits:
            edits.setdefault(node, []).append(edit)
    rewriter = StatementRewriter(edits, module.tree, text)
    new = rewriter.module(module.tree, cst.parse_module(text)).code
    try:
        tree = ast.parse(new)
    except SyntaxError as error:
        raise PorterError(
            "PRT904",
            f"mending {module.display} gives no Python: {error.msg}",
            hint="this is an error of porter; nothing was written",
        ) from error
    return _with_imports(new, tree, module.tree, needs)


def _place_of(node: ast.AST) -> tuple[int, int]:
    """Order nodes from the end of the file: what lies inside of another one comes first."""
    return -getattr(node, "lineno", 0), -getattr(node, "col_offset", 0)


def _with_imports(text: str, tree: ast.Module, before: ast.Module, needs: set[str]) -> str:
    """Add the imports that mended code needs, and drop those that it alone had needed."""
    lines = split_lines(text)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    unused = _reads(before) - _reads(tree) - _exported(tree)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    place = _place(tree, imports)
    for node in reversed(imports):
        new = _kept(node, unused)
        if needs and isinstance(node, ast.ImportFrom) and node.module == "mindspore":
            inner = needs & {"ops", "nn"}
            if inner and not node.level and new is not None:
                new.names = [*new.names, *(ast.alias(name) for name in sorted(inner))]
                new.names.sort(key=lambda alias: (not alias.name[0].isupper(), alias.name))
                needs = needs - inner
        if new is None:
            _replace(lines, node, "", newline)
            if node.lineno - 1 < place:
                place -= (node.end_lineno or node.lineno) - node.lineno + 1
        elif ast.dump(new) != ast.dump(node) or len(new.names) != len(node.names):
            _replace(lines, node, ast.unparse(new), newline)
    added = [IMPORTS[name] + newline for name in sorted(needs, key=lambda n: n != "ms")]
    lines[place:place] = added
    while lines and not lines[0].strip() and text[:1].strip():
        lines.pop(0)  # what stood above is gone
    return "".join(lines)


def _reads(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _exported(tree: ast.Module) -> set[str]:
    """Return the names that `__all__` lists."""
    return {
        part.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
        for part in ast.walk(node.value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def _kept(
    node: ast.Import | ast.ImportFrom, unused: set[str]
) -> ast.Import | ast.ImportFrom | None:
    """Return an import without the names that mending made unused; None where none is left."""
    if isinstance(node, ast.ImportFrom):
        if node.level or (node.module or "").partition(".")[0] not in PRUNED:
            return ast.ImportFrom(node.module, list(node.names), node.level)
        names = [a for a in node.names if (a.asname or a.name) not in unused]
        return ast.ImportFrom(node.module, names, node.level) if names else None
    names = [
        a
        for a in node.names
        if a.name.partition(".")[0] not in PRUNED
        or (a.asname or a.name.partition(".")[0]) not in unused
    ]
    return ast.Import(names) if names else None


def _replace(lines: list[str], node: ast.stmt, new: str, newline: str) -> None:
    """Write text in place of an import, keeping a comment behind it; without text it goes."""
    start, end = node.lineno - 1, node.end_lineno or node.lineno
    before = lines[start].encode()[: node.col_offset].decode()
    after = lines[end - 1].encode()[node.end_col_offset :].decode().rstrip("\r\n")
    if not new and not before.strip():
        if not after.strip():
            lines[start:end] = []
            return
        if after.lstrip().startswith("#"):
            lines[start:end] = [after.lstrip() + newline]
            return
        lines[start:end] = [after.lstrip("; ") + newline]
        return
    lines[start:end] = [before + (new or "pass") + after + newline]


def _place(tree: ast.Module, imports: list[ast.Import | ast.ImportFrom]) -> int:
    """Return the line, from 0, in front of which new imports are written."""
    for node in imports:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            continue
        if _is_mindspore(node):
            return node.lineno - 1
    if imports:
        last = imports[-1]
        return last.end_lineno or last.lineno
    docstring = ast.get_docstring(tree, clean=False)
    return (tree.body[0].end_lineno or 0) if docstring is not None else 0


def _is_mindspore(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] == "mindspore"
    return any(alias.name.partition(".")[0] == "mindspore" for alias in node.names)
