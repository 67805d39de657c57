"""Know the definitions of all modules of a port: classes, functions, bases, methods, fields."""

from __future__ import annotations

import ast
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from typing import Any

from porter.mapping.load import Mapping
from porter.runtime_files import output_names
from porter.source.conditions import Conditions
from porter.source.factories import with_classes
from porter.source.names import Names, Scope, analyse_names
from porter.source.read import SourceModule
from porter.source.stars import bind_stars
from porter.source.top_level import assigned_names, changed_names, top_level
from porter.source.tree import children

MODULE_ROOTS = ("torch.nn.Module", "torch.nn.modules.module.Module")
NAMED_TUPLES = ("typing.NamedTuple", "NamedTuple")
FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class ClassInfo:
    """One class of the source."""

    qualified: str
    node: ast.ClassDef
    names: Names
    bases: tuple[str, ...]
    methods: dict[str, FunctionDef] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        return self.names.scopes[self.node]


@dataclass(slots=True)
class FunctionInfo:
    """One function or method of the source; `owner` is its class."""

    qualified: str
    node: FunctionDef
    names: Names
    owner: ClassInfo | None = None


class Program:
    """All modules of a port and what they define, by qualified name.

    `left_out` holds methods that the port does not carry, and why; `skipped` holds their nodes.
    """

    def __init__(
        self,
        modules: tuple[SourceModule, ...],
        mapping: Mapping,
        configuration: AbstractMapping[str, Any] | None = None,
        left_out: AbstractMapping[str, str] | None = None,
    ) -> None:
        self.mapping = mapping
        self.configuration = configuration or {}
        self.left_out = left_out or {}
        self.skipped: set[ast.AST] = set()
        self.names: dict[str, Names] = {}
        self.classes: dict[str, ClassInfo] = {}
        self.functions: dict[str, FunctionInfo] = {}
        self.constants: dict[str, ast.stmt] = {}
        self.changing: dict[str, list[ast.stmt]] = {}
        self.conditions = Conditions(self)
        self.aliases: dict[str, str] = {}
        self.bringing: dict[str, bool] = {}
        self.foreign: dict[str, bool] = {}
        self.missing: dict[str, bool] = {}
        self.asked: set[str] | None = None
        self.passed_on: dict[str, str] = {}
        self._below: dict[ast.AST, tuple[ast.AST, ...]] = {}
        self._parents: dict[ast.AST, dict[ast.AST, ast.AST]] = {}
        for module in modules:
            self.add(module)

    def below(self, node: ast.AST) -> tuple[ast.AST, ...]:
        """Return a function's or module's node and all below it; walked once, asked for often."""
        if node not in self._below:
            found = [node]
            for item in found:
                found += children(item)
            self._below[node] = tuple(found)
        return self._below[node]

    def parents(self, node: ast.AST) -> dict[ast.AST, ast.AST]:
        """Return what each node below a function or a module is a child of."""
        if node not in self._parents:
            self._parents[node] = {
                child: parent for parent in self.below(node) for child in children(parent)
            }
        return self._parents[node]

    def add(self, module: SourceModule) -> None:
        """Add one module's definitions."""
        if self.configuration:
            module = with_classes(module, self.configuration)
        names = self._analyse(module)
        bind_stars(names)
        for qualified, origin in self.passed_on.items():
            names.rename(qualified, origin)
        for statement in top_level(module.tree, names.dead):
            self._define(statement, names)
        for statement in module.tree.body:
            for name in changed_names(statement, names.dead):
                self.changing.setdefault(f"{module.name}.{name}", []).append(statement)

    def _analyse(self, module: SourceModule) -> Names:
        """Return the names of a module without those that only branches bind which never run."""
        names = analyse_names(module)
        while True:
            self.names[module.name] = names
            dead = self.conditions.dead(names)
            if dead == names.dead:
                return names
            names = analyse_names(module, dead)
            self.conditions = Conditions(self)

    def pass_on(self, qualified: str, origin: str) -> None:
        """Take an import of a mapped name that a module only passes on for one of the name."""
        self.passed_on[qualified] = self.aliases[qualified] = origin
        for names in self.names.values():
            names.rename(qualified, origin)
        for info in self.classes.values():
            info.bases = tuple(
                origin + base[len(qualified) :] if f"{base}.".startswith(f"{qualified}.") else base
                for base in info.bases
            )

    def _define(self, statement: ast.stmt, names: Names) -> None:
        prefix = names.module.name
        if isinstance(statement, ast.ClassDef):
            bases = tuple(self.reference(base, names.top, names) or "" for base in statement.bases)
            info = ClassInfo(f"{prefix}.{statement.name}", statement, names, bases)
            for node in statement.body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    info.methods[node.name] = node
            self.skipped.update(
                node
                for name, node in info.methods.items()
                if f"{info.qualified}.{name}" in self.left_out
            )
            self.classes[info.qualified] = info
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            qualified = f"{prefix}.{statement.name}"
            self.functions[qualified] = FunctionInfo(qualified, statement, names)
        else:
            for name in assigned_names(statement):
                self.constants[f"{prefix}.{name}"] = statement

    def reference(self, node: ast.expr, scope: Scope, names: Names) -> str | None:
        """Return the qualified name of what an expression names: imported, or of its module."""
        qualified = names.qualified(node, scope)
        if qualified is not None:
            return self.aliases.get(qualified, qualified)
        if isinstance(node, ast.Name) and not scope.shadows(node.id):
            return f"{names.module.name}.{node.id}"
        return None

    def defined(self, qualified: str) -> bool:
        return (
            qualified in self.classes or qualified in self.functions or qualified in self.constants
        )

    def ancestry(self, qualified: str) -> list[str]:
        """Return a class and all its bases, own classes and foreign names, nearest first."""
        found: list[str] = []
        queue = [qualified]
        while queue:
            name = queue.pop(0)
            name = self.aliases.get(name, name)
            if name and name not in found:
                found.append(name)
                if name in self.classes:
                    queue.extend(self.classes[name].bases)
        return found

    def is_module(self, qualified: str) -> bool:
        """Tell whether a class is a neural network module, directly or through its bases."""
        for name in self.ancestry(qualified):
            if name in MODULE_ROOTS:
                return True
            if name not in self.classes:
                entry = self.mapping.find(name)
                if entry is not None and (
                    entry.kind == "module" or (entry.kind == "class" and _result(entry) == "module")
                ):
                    return True
        return False

    def is_autograd(self, qualified: str) -> bool:
        """Tell whether a class of the source is a function with a gradient of its own."""
        return qualified in self.classes and any(
            name not in self.classes
            and (entry := self.mapping.find(name)) is not None
            and entry.kind == "class"
            and _result(entry) == "autograd"
            for name in self.ancestry(qualified)
        )

    def output_fields(self, qualified: str) -> tuple[str, ...] | None:
        """Return the fields of a structured result class of the source, None when it is none.

        Structured results are dataclasses, NamedTuples and subclasses of the classes that the
        table marks with `result = "output"`.
        """
        info = self.classes.get(qualified)
        if info is None:
            return None
        ancestry = self.ancestry(qualified)
        foreign = [name for name in ancestry if name not in self.classes]
        marked = any(name in NAMED_TUPLES or self.is_output_name(name) for name in foreign)
        decorated = any(
            self.names_decorator(decorator, info) == "dataclasses.dataclass"
            for decorator in info.node.decorator_list
        )
        if not (marked or decorated) or self.is_module(qualified):
            return None
        fields: list[str] = []
        for name in reversed(ancestry):
            owner = self.classes.get(name)
            if owner is None:
                fields += self._mapped_fields(name)
                continue
            fields += [
                node.target.id
                for node in owner.node.body
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            ]
        return tuple(dict.fromkeys(fields))

    def declared_fields(self, qualified: str) -> tuple[str, ...]:
        """Return the fields of a structured result in the order that positions count."""
        return self.output_fields(qualified) or self._mapped_fields(qualified)

    def _mapped_fields(self, qualified: str) -> tuple[str, ...]:
        entry = self.mapping.find(qualified)
        target = (entry.target or "") if entry is not None else ""
        return output_names(target.replace("*", qualified.rpartition(".")[2]))

    def is_named_tuple(self, qualified: str) -> bool:
        """Tell whether a class of the source gives its fields when it is iterated."""
        return any(name in NAMED_TUPLES for name in self.ancestry(qualified))

    def is_output_name(self, name: str) -> bool:
        """Tell whether the table marks a foreign class as a structured result."""
        entry = self.mapping.find(name)
        return entry is not None and entry.kind == "class" and _result(entry) == "output"

    def names_decorator(self, decorator: ast.expr, info: ClassInfo | FunctionInfo) -> str | None:
        """Return the qualified name of a decorator, its call arguments apart."""
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self.reference(node, info.names.top, info.names)

    def find_method(self, qualified: str, name: str) -> FunctionInfo | None:
        """Return a method of a class or of its nearest base in the source."""
        for ancestor in self.ancestry(qualified):
            info = self.classes.get(ancestor)
            if info is not None and name in info.methods:
                return FunctionInfo(f"{ancestor}.{name}", info.methods[name], info.names, info)
        return None


def _result(entry: object) -> str:
    overloads = getattr(entry, "overloads", ())
    return str(overloads[0].result) if overloads else ""


def without_docstring(function: FunctionDef) -> list[ast.stmt]:
    """Return the statements of a function that stand behind its docstring, if it has one."""
    return function.body[1:] if ast.get_docstring(function) is not None else function.body
