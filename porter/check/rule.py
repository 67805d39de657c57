"""Define what a rule is, what it sees and what it gives; keep the registry of all rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from porter.check.graph import Graph, GraphFunction
from porter.check.kinds import Kinds
from porter.plan.edits import Edit
from porter.source.names import Names, Scope
from porter.source.program import ClassInfo

LIBRARIES = {"ops": "mindspore.ops", "nn": "mindspore.nn", "ms": "mindspore"}
OPT_IN = frozenset({"PRT351", "PRT352", "PRT360", "PRT361", "PRT362", "PRT370"})
"""Rules that speak only where --select or the configuration names them."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Changes that keep the meaning: edits by node, and the libraries that they write of."""

    edits: tuple[tuple[ast.AST, Edit], ...]
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found at a node."""

    code: str
    node: ast.AST
    message: str
    hint: str
    fix: Fix | None = None


@dataclass(slots=True)
class Context:
    """One compiled function, and what is known of it."""

    graph: Graph
    kinds: Kinds
    function: GraphFunction
    nodes: tuple[ast.AST, ...] = ()
    """Every node of the function, annotations and decorators included."""
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    partials: list[ast.Assign] = field(default_factory=list)
    """The assignments of a functools.partial to a local name."""
    _qualified: dict[ast.expr, str | None] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        return self.function.names

    @property
    def scope(self) -> Scope:
        return self.function.scope

    @property
    def owner(self) -> ClassInfo | None:
        return self.function.info.owner

    def lines(self, first: int, last: int) -> list[str]:
        """Return lines of the file, counted from 1."""
        return self.names.module.text.splitlines()[max(first - 1, 0) : last]

    def kind(self, node: ast.AST | None) -> str:
        """Return the kind of an expression."""
        return self.kinds.kind(node)

    def qualified(self, node: ast.expr) -> str | None:
        """Return the imported name that an expression stands for; most rules ask for it."""
        if node not in self._qualified:
            self._qualified[node] = self.names.qualified(node, self.scope)
        return self._qualified[node]

    def reference(self, node: ast.expr) -> str | None:
        """Return the name, imported or of the project, that an expression stands for."""
        return self.graph.project.program.reference(node, self.scope, self.names)

    def builtin(self, node: ast.AST, *wanted: str) -> bool:
        """Tell whether a node is a call of one of Python's own functions."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in wanted
            and self.scope.lookup(node.func.id) is None
            and self.kinds.kind(node.func) == "unknown"
            and node.func.id not in self.names.top.bound
        )

    def spelled(self, template: str) -> tuple[str, frozenset[str]]:
        """Write a template's `ops.`, `nn.` and `ms.` with the names of this module.

        Returns:
            the text, and the libraries that the module does not import yet.
        """
        needs = set()
        for short, full in LIBRARIES.items():
            if f"{short}." not in template:
                continue
            local = self._local(full)
            if local is None and self._taken(short):
                whole = self._local("mindspore") or "mindspore"
                local = whole if short == "ms" else f"{whole}.{short}"
            elif local is None:
                needs.add(short)
                local = short
            if local != short:
                template = _with_name(template, short, local)
        return template, frozenset(needs)

    def _taken(self, name: str) -> bool:
        """Tell whether a name stands for something else here."""
        return name in self.names.top.imports or any(
            name in scope.bound for scope in (self.scope, self.names.top)
        )

    def _local(self, origin: str) -> str | None:
        for name, full in self.names.top.imports.items():
            if full == origin and self.scope.lookup(name) == origin:
                return name
        return None


def _with_name(template: str, short: str, local: str) -> str:
    parts = template.split(f"{short}.")
    text = parts[0]
    for part in parts[1:]:
        joined = text and (text[-1].isalnum() or text[-1] in "_.")
        text += f"{short}.{part}" if joined else f"{local}.{part}"
    return text


FunctionRule = Callable[[Context, ast.AST], Iterable[Hit]]
FUNCTION_RULES: dict[type[ast.AST], list[FunctionRule]] = {}


@dataclass(slots=True)
class ClassContext:
    """A Cell whose constructor is looked at."""

    graph: Graph
    kinds: Kinds
    info: ClassInfo

    @property
    def names(self) -> Names:
        return self.info.names

    @property
    def constructor(self) -> tuple[ast.AST, ...]:
        """Every node of the constructor; none where the class has no constructor of its own."""
        method = self.info.methods.get("__init__")
        return () if method is None else self.graph.project.program.below(method)

    def qualified(self, node: ast.expr) -> str | None:
        """Return the imported name that an expression of the constructor stands for."""
        method = self.info.methods.get("__init__")
        scope = self.names.scopes[method] if method is not None else self.names.top
        return self.names.qualified(node, scope)


ClassRule = Callable[[ClassContext], Iterable[Hit]]
CLASS_RULES: list[ClassRule] = []


def on(*kinds: type[ast.AST]) -> Callable[[FunctionRule], FunctionRule]:
    """Register a rule for nodes of these classes in compiled functions."""

    def register(rule: FunctionRule) -> FunctionRule:
        for kind in kinds:
            FUNCTION_RULES.setdefault(kind, []).append(rule)
        return rule

    return register


def on_class(rule: ClassRule) -> ClassRule:
    """Register a rule for classes that have a construct."""
    CLASS_RULES.append(rule)
    return rule


@dataclass(slots=True)
class ModuleContext:
    """A module as a whole: what it does outside of what is compiled."""

    graph: Graph
    names: Names


ModuleRule = Callable[[ModuleContext], Iterable[Hit]]
MODULE_RULES: list[ModuleRule] = []


def on_module(rule: ModuleRule) -> ModuleRule:
    """Register a rule for modules."""
    MODULE_RULES.append(rule)
    return rule
