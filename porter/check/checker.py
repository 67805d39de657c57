"""Check files: find their graph code, let the rules speak, and leave out what comments allow."""

from __future__ import annotations

import ast
import contextlib
import gc
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import porter.check.all_rules  # noqa: F401 - importing it registers the rules
from porter.check.graph import Graph, GraphFunction, own_nodes
from porter.check.kinds import Kinds
from porter.check.project import Project
from porter.check.rule import (
    CLASS_RULES,
    FUNCTION_RULES,
    MODULE_RULES,
    OPT_IN,
    ClassContext,
    Context,
    Fix,
    Hit,
    ModuleContext,
)
from porter.diagnostics.codes import CODES
from porter.source.names import Names
from porter.source.tree import children
from porter.types import Applicability, Finding, PorterError, Position

ALLOWED = re.compile(r"#\s*porter:\s*ignore(?:\[([A-Z0-9,\s]*)\])?")


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of the checker, and the change that mends it where there is one."""

    finding: Finding
    node: ast.AST
    path: Path
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one run: problems in order, and the files that could not be read."""

    problems: tuple[Problem, ...]
    errors: tuple[PorterError, ...]
    files: int


def check_source(text: str, path: Path) -> tuple[Finding, ...]:
    """Return the findings of one file whose text is at hand; other files are read as it imports.

    Raises:
        PorterError: PRT001 where the text is not Python.
    """
    project = Project()
    names = project.add_text(text, path)
    return tuple(problem.finding for problem in check_modules(project, [names]))


def check_files(files: Sequence[Path], opted: Sequence[str] = ()) -> Checked:
    """Check files as one project.

    Args:
        opted: prefixes of codes that the user asked for by name.
    """
    with _collection_paused():
        return _check_files(files, opted)


@contextlib.contextmanager
def _collection_paused() -> Iterator[None]:
    """Keep the garbage collector from walking the trees while they grow."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _check_files(files: Sequence[Path], opted: Sequence[str]) -> Checked:
    project = Project()
    entries: list[Names] = []
    errors: list[PorterError] = []
    for path in files:
        try:
            names = project.add_file(path)
        except PorterError as error:
            errors.append(error)
            continue
        if names is not None:
            entries.append(names)
    problems = check_modules(project, entries, opted)
    return Checked(problems, tuple(errors), len(files))


def check_modules(
    project: Project, entries: list[Names], opted: Sequence[str] = ()
) -> tuple[Problem, ...]:
    """Return the problems of the graph code that the entries define and reach."""
    graph = Graph(project, entries)
    kinds = Kinds(graph)
    problems: list[Problem] = []
    for function in list(graph.functions.values()):
        hits = function_hits(function_context(graph, kinds, function))
        problems += _problems(hits, function.names, opted)
    for info in graph.cells.values():
        hits = class_hits(ClassContext(graph, kinds, info))
        problems += _problems(hits, info.names, opted)
    for names in entries:
        of_module = ModuleContext(graph, names)
        problems += _problems(
            (hit for rule in MODULE_RULES for hit in rule(of_module)), names, opted
        )
    unique = {(item.finding.position, item.finding.code): item for item in problems}
    return tuple(
        sorted(unique.values(), key=lambda item: (item.finding.position, item.finding.code))
    )


def function_hits(context: Context) -> Iterator[Hit]:
    """Yield what the rules find in one compiled function."""
    for node in (context.function.node, *own_nodes(context.function.node)):
        for rule in FUNCTION_RULES.get(type(node), ()):
            yield from rule(context, node)


def class_hits(context: ClassContext) -> Iterator[Hit]:
    """Yield what the rules find in one Cell as a whole."""
    for rule in CLASS_RULES:
        yield from rule(context)


def function_context(graph: Graph, kinds: Kinds, function: GraphFunction) -> Context:
    """Gather what the rules ask of one compiled function."""
    context = Context(graph, kinds, function)
    queue: list[ast.AST] = [function.node]
    for node in queue:
        below = children(node)
        context.parents.update(dict.fromkeys(below, node))
        queue += below
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and context.qualified(node.value.func) == "functools.partial"
        ):
            context.partials.append(node)
    context.nodes = tuple(queue)
    return context


def _problems(hits: Iterable[Hit], names: Names, opted: Sequence[str]) -> Iterable[Problem]:
    lines: list[str] | None = None
    for hit in hits:
        if hit.code in OPT_IN and not (opted and hit.code.startswith(tuple(opted))):
            continue
        if lines is None:
            lines = names.module.text.splitlines()
        line = getattr(hit.node, "lineno", 1)
        end = getattr(hit.node, "end_lineno", line)
        if is_allowed(hit.code, lines, line) or is_allowed(hit.code, lines, end):
            continue
        code = CODES[hit.code]
        column = getattr(hit.node, "col_offset", 0) + 1
        finding = Finding(
            hit.code,
            Position(names.module.display, line, column),
            hit.message,
            Applicability.MANUAL if hit.fix is None else Applicability.REVIEW,
            code.severity,
            hint=hit.hint,
        )
        yield Problem(finding, hit.node, names.module.path, hit.fix)


def is_allowed(code: str, lines: Sequence[str], line: int) -> bool:
    """Tell whether the comment of a line, `# porter: ignore[PRT301]`, allows a code."""
    found = ALLOWED.search(lines[line - 1]) if 0 < line <= len(lines) else None
    if found is None:
        return False
    if found.group(1) is None:
        return True
    return code in {part.strip() for part in found.group(1).split(",")}
