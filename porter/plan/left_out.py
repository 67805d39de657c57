"""Leave out methods that calling a class does not need and that cannot be carried over.

`generate`, `from_pretrained` or a method that offloads layers stands in many classes beside
`forward`. What such a method cannot carry over would keep the class itself from being called clean,
or its file from being imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from porter.plan.context import PlanContext
from porter.plan.edits import LeaveOut
from porter.plan.reach import HOST_METHODS, definitions, references
from porter.source.program import ClassInfo, Program
from porter.types import Applicability, Finding, Severity

ENTRIES = (
    "forward",
    "get_input_embeddings",
    "get_output_embeddings",
    "tie_weights",
    *HOST_METHODS,
)
"""Methods that are called from outside of the source: by the framework, or by the runtime."""


def methods_to_leave_out(
    program: Program, wanted: Iterable[str], reached: frozenset[str], findings: Iterable[Finding]
) -> dict[str, str]:
    """Return the methods to leave out by qualified name, and what of each cannot be carried over.

    Args:
        wanted: the class that is wanted, and what comes along with it; making and calling it is
            what must work.
        reached: the definitions that it names, as `reached_from` gives them.
        findings: what was found when all of them were planned.
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if not errors:
        return {}
    live = _Live(program, wanted, reached)
    faulty = {
        name: problems
        for name in reached - live.definitions
        if (problems := _within(program, name, errors))
    }
    found: dict[str, str] = {}
    for name in reached & program.classes.keys():
        info = program.classes[name]
        for method, node in info.methods.items():
            qualified = f"{name}.{method}"
            if qualified in live.methods or _is_entry(method) or _is_accessor(node):
                continue
            problems = _inside(node, info.names.module.display, errors)
            if not problems:
                problems = _of_what_it_names(program, info, node, faulty, live)
            if problems:
                found[qualified] = _reason(problems)
    return found


def plan_left_out(context: PlanContext, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Plan a method that is left out; returns whether it is one."""
    if node not in context.program.skipped:
        return False
    reason = context.program.left_out[f"{context.owner}.{node.name}"]
    kept = tuple(
        decorator.id
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Name) and decorator.id in ("property", "classmethod")
    )
    context.edit(node, LeaveOut(f"{node.name} was not carried over (PRT216)", kept))
    context.vanished.update(ast.walk(node))
    context.find(
        node,
        "PRT216",
        f"{node.name} is left out: calling the class does not need it, and {reason}",
        applicability=Applicability.REVIEW,
        severity=Severity.WARNING,
    )
    return True


def _is_entry(method: str) -> bool:
    return method in ENTRIES or (method.startswith("__") and method.endswith("__"))


def _is_accessor(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a method is the second part of a property, which its first part would hide."""
    return any(isinstance(decorator, ast.Attribute) for decorator in node.decorator_list)


class _Live:
    """Follow what runs when a class is made and called: by name, since receivers are not known."""

    def __init__(self, program: Program, wanted: Iterable[str], reached: frozenset[str]) -> None:
        self.program = program
        self.reached = reached
        self.definitions: set[str] = set()
        self.methods: set[str] = set()
        # A recipe may make the class by one of its methods.
        self.names = {name.rpartition(".")[2] for name in wanted if not program.defined(name)}
        self._queue = list(wanted)
        while self._queue:
            self._define(self._queue.pop())

    def _define(self, name: str) -> None:
        name = self.program.aliases.get(name, name)
        if name in self.definitions or name not in self.reached:
            return
        self.definitions.add(name)
        info = self.program.classes.get(name)
        if info is None:
            for statement, names in definitions(self.program, name):
                self._queue.extend(references(self.program, statement, names, names.top))
                self._name(statement)
            return
        methods = set(info.methods.values())
        for node in ast.iter_child_nodes(info.node):
            if node not in methods:
                self._queue.extend(references(self.program, node, info.names, info.scope))
                self._name(node)
        for method in info.methods:
            if _is_entry(method) or method in self.names:
                self._method(info, method)

    def _method(self, info: ClassInfo, method: str) -> None:
        qualified = f"{info.qualified}.{method}"
        if qualified in self.methods:
            return
        self.methods.add(qualified)
        node = info.methods[method]
        scope = info.names.scopes.get(node, info.scope)
        self._queue.extend(references(self.program, node, info.names, scope))
        self._name(node)

    def _name(self, node: ast.AST) -> None:
        """Take in the names of attributes below a node, and texts that may be such names."""
        new = set()
        for inner in ast.walk(node):
            if isinstance(inner, ast.Attribute):
                new.add(inner.attr)
            elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                new.add(inner.value)
        new -= self.names
        self.names |= new
        for name in self.definitions & self.program.classes.keys():
            info = self.program.classes[name]
            for method in new & info.methods.keys():
                self._method(info, method)


def _of_what_it_names(
    program: Program, info: ClassInfo, node: ast.AST, faulty: dict[str, list[Finding]], live: _Live
) -> list[Finding]:
    """Return the errors of what only such a method reaches."""
    queue = list(references(program, node, info.names, info.names.scopes.get(node, info.scope)))
    seen: set[str] = set()
    while queue:
        name = queue.pop()
        name = program.aliases.get(name, name)
        if name in seen or name in live.definitions or not program.defined(name):
            continue
        seen.add(name)
        if name in faulty:
            return faulty[name]
        for inner, names in definitions(program, name):
            queue.extend(references(program, inner, names, names.top))
    return []


def _within(program: Program, name: str, errors: list[Finding]) -> list[Finding]:
    return [
        error
        for node, names in definitions(program, name)
        for error in _inside(node, names.module.display, errors)
    ]


def _inside(node: ast.AST, display: str, errors: list[Finding]) -> list[Finding]:
    """Return the errors whose positions lie within a definition."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([item.lineno for item in decorators] + [getattr(node, "lineno", 0)])
    last = getattr(node, "end_lineno", None) or first
    return [
        finding
        for finding in errors
        if str(finding.position.path) == str(display) and first <= finding.position.line <= last
    ]


def _reason(problems: list[Finding]) -> str:
    first = problems[0]
    place = f"{Path(first.position.path).name}:{first.position.line}"
    more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
    return f"{first.code} stands in its way at {place}: {first.message.rstrip('.')}{more}"
