"""Infer the kind of every expression of a function by walking it in order of execution."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from porter.mapping.bind import Binding, bind
from porter.mapping.schema import Entry, Overload
from porter.source.annotations import annotated
from porter.source.gathered import Definition, Gathered, Unit
from porter.source.kinds import UNKNOWN, Kind, join
from porter.source.names import Names, Scope
from porter.source.parameters import literal_kind
from porter.source.program import FunctionInfo, Program
from porter.source.walk import FunctionWalk

# A function knows in the next walk what is passed to it, and its callers what it then returns.
WALKS = 5
PROPERTIES = ("property", "cached_property", "functools.cached_property")


class Inference:
    """Kinds of all expressions of a program, worked out function by function on demand."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds: dict[ast.AST, Kind] = {}
        self.defined = frozenset(name for info in program.classes.values() for name in info.methods)
        self.arguments = Gathered()
        self.stored = Gathered()
        self.unit: Unit = ""
        self.reads: set[object] = set()
        self._stale: set[Unit] = set()
        self._read_by: dict[Unit, set[object]] = {}
        self.results: dict[str, tuple[Definition, Kind]] = {}
        self.globals: dict[str, Kind] = {}
        self._qualified: dict[ast.AST, str | None] = {}
        self._references: dict[ast.AST, str | None] = {}
        self._annotations: dict[ast.AST, Kind] = {}
        self._spellings: dict[ast.Call, list[tuple[Overload, Binding]]] = {}
        self._returns: dict[Unit, Kind] = {}
        self._attributes: dict[Unit, dict[str, Kind]] = {}
        self._running: set[ast.AST] = set()

    def kind(self, node: ast.AST) -> Kind:
        """Return the kind of an expression of a function that was run."""
        return self.kinds.get(node, UNKNOWN)

    def argument(self, definition: Definition, name: str) -> Kind:
        """Return what the calls of a function give to a parameter, as the walk before saw it."""
        return self.arguments.get(self.reads, (definition, name))

    def kept(self, owner: str, name: str) -> Kind:
        """Return what a class keeps under a name, as the walk before saw it."""
        return self.stored.get(self.reads, (owner, name))

    # What the text alone says is worked out once for all walks.
    def qualified(self, node: ast.expr, scope: Scope, names: Names) -> str | None:
        """Return the full imported name of a dotted expression, else None."""
        if node not in self._qualified:
            self._qualified[node] = names.qualified(node, scope)
        return self._qualified[node]

    def reference(self, node: ast.expr, scope: Scope, names: Names) -> str | None:
        """Return the qualified name of what an expression names: imported, or of its module."""
        if node not in self._references:
            self._references[node] = self.program.reference(node, scope, names)
        return self._references[node]

    def promised(self, annotation: ast.expr, names: Names) -> Kind:
        """Return the kind that an annotation names."""
        if annotation not in self._annotations:
            self._annotations[annotation] = annotated(annotation, names.top, names, self.program)
        return self._annotations[annotation]

    def spellings(
        self, entry: Entry, call: ast.Call, receiver: ast.expr | None
    ) -> list[tuple[Overload, Binding]]:
        """Return the spellings of a mapped name whose signatures a call binds to."""
        if call not in self._spellings:
            bound = [
                (overload, bind(overload.signature, call, receiver))
                for overload in entry.overloads
                if overload.signature is not None
            ]
            self._spellings[call] = [(o, b) for o, b in bound if isinstance(b, Binding)]
        return self._spellings[call]

    def keep(self, module: str, definition: Definition, result: Kind) -> str:
        """Remember what a function without a qualified name gives; returns a name for it."""
        name = f"{module}.<{definition.lineno}:{definition.col_offset}>"
        self.results[name] = definition, result
        return name

    def run_all(self) -> None:
        """Run every function, method and module body, until the calls tell nothing new."""
        for _ in range(WALKS):
            returned, attributes = dict(self._returns), dict(self._attributes)
            self._forget()
            self._run_once()
            changed = self.arguments.settle() | self.stored.settle()
            for unit in self._stale:
                same = returned.get(unit) == self._returns.get(unit)
                if not same or attributes.get(unit) != self._attributes.get(unit):
                    changed.add(unit)
            self._stale = {
                unit for unit, read in self._read_by.items() if not read.isdisjoint(changed)
            }
            if not self._stale:
                break

    def _forget(self) -> None:
        """Forget what was read off kinds that have changed: the rest need not be walked again."""
        for unit in self._stale:
            self._returns.pop(unit, None)
            self._attributes.pop(unit, None)

    def _run_once(self) -> None:
        for names in self.program.names.values():
            with self._unit(names.module.name):
                walk = FunctionWalk(self, names, names.top, None)
                walk.body(names.module.tree.body)
            for name, kind in walk.env.items():
                if kind.name not in ("unknown", "none"):
                    self.globals[f"{names.module.name}.{name}"] = kind
        for function in self.program.functions.values():
            self.returns(function)
        for info in self.program.classes.values():
            with self._unit(info.node):
                FunctionWalk(self, info.names, info.scope, info).body(
                    [s for s in info.node.body if not isinstance(s, ast.FunctionDef | ast.ClassDef)]
                )
            for name, node in info.methods.items():
                self.returns(FunctionInfo(f"{info.qualified}.{name}", node, info.names, info))
        for unit in self._stale:
            if isinstance(unit, str) and unit in self.program.classes:
                self.attributes(unit)

    @contextmanager
    def _unit(self, unit: Unit) -> Iterator[None]:
        """Remember for one body what it reads of others and gives to others."""
        outer = self.unit, self.reads
        self.unit, self.reads = unit, set()
        self.arguments.start(unit)
        self.stored.start(unit)
        try:
            yield
        finally:
            self._read_by[unit] = self.reads
            self.unit, self.reads = outer

    def returns(self, function: FunctionInfo) -> Kind:
        """Return the kind that a function returns; unknown while it is being worked out."""
        node = function.node
        self.reads.add(node)
        if node in self._returns:
            return self._returns[node]
        if node in self._running:
            return UNKNOWN
        self._running.add(node)
        with self._unit(node):
            walk = FunctionWalk(self, function.names, function.names.scopes[node], function.owner)
            walk.bind_parameters(node)
            walk.body(node.body)
        self._running.discard(node)
        result = walk.result
        if result.name == "unknown" and node.returns is not None:
            result = self.promised(node.returns, walk.names)
        self._returns[node] = result
        return result

    def attributes(self, qualified: str) -> dict[str, Kind]:
        """Return the kinds of a class's attributes, from its constructor and its class body."""
        self.reads.add(qualified)
        if qualified not in self._attributes:
            found: dict[str, Kind] = {}
            self._attributes[qualified] = found
            with self._unit(qualified):
                self._find_attributes(qualified, found)
        return self._attributes[qualified]

    def _find_attributes(self, qualified: str, found: dict[str, Kind]) -> None:
        for ancestor in reversed(self.program.ancestry(qualified)):
            info = self.program.classes.get(ancestor)
            if info is None:
                continue
            for statement in info.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    found[statement.target.id] = self.promised(statement.annotation, info.names)
                elif isinstance(statement, ast.Assign):
                    for target in statement.targets:
                        if isinstance(target, ast.Name):
                            found[target.id] = literal_kind(statement.value) or UNKNOWN
            for name, method in info.methods.items():
                if any(ast.unparse(d) in PROPERTIES for d in method.decorator_list):
                    found[name] = self.returns(
                        FunctionInfo(f"{ancestor}.{name}", method, info.names, info)
                    )
            if "__init__" in info.methods:
                node = info.methods["__init__"]
                walk = FunctionWalk(self, info.names, info.names.scopes[node], info)
                walk.own = found
                walk.bind_parameters(node)
                walk.body(node.body)
            for name, kind in self.stored.of(self.reads, ancestor):
                if kind.name != "unknown":
                    known = found.get(name, UNKNOWN)
                    found[name] = kind if known.name == "unknown" else join(known, kind)
