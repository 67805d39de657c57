"""Find the functions that the graph compiler reads: construct, @jit, and all that these reach."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.check.project import Project
from porter.source.names import Names, Scope
from porter.source.program import ClassInfo, FunctionDef, FunctionInfo
from porter.source.tree import children

JIT = frozenset(
    f"mindspore.{name}"
    for name in ("jit", "ms_function", "common.jit", "common.api.jit", "common.api.ms_function")
)
JIT_WORD = re.compile(r"@(?:\w+\.)*(?:jit|ms_function)\b|\b(?:jit|ms_function)\(")
HOST_DECORATORS = (
    "constexpr",
    "_primexpr",
    "primexpr",
    "jit_class",
    "jit_forbidden_register",
    "_no_grad",
    "overload",
)
CELL_BASES = ("mindspore.nn.Cell", "mindspore.nn.cell.Cell")


@dataclass(frozen=True, slots=True)
class GraphFunction:
    """One function that is compiled. `role` is construct, jit, method or helper."""

    info: FunctionInfo
    role: str

    @property
    def node(self) -> FunctionDef:
        return self.info.node

    @property
    def names(self) -> Names:
        return self.info.names

    @property
    def scope(self) -> Scope:
        return self.names.scopes[self.node]


class Graph:
    """All compiled functions of a project's files, found from their entry points on."""

    def __init__(self, project: Project, entries: list[Names]) -> None:
        self.project = project
        self.functions: dict[ast.AST, GraphFunction] = {}
        self.cells: dict[str, ClassInfo] = {}
        self.queue: list[GraphFunction] = []
        self._used: dict[str, set[str]] = {}
        wanted = {id(names) for names in entries}
        for info in list(project.program.classes.values()):
            if id(info.names) in wanted and self.is_cell(info):
                self.cells[info.qualified] = info
                self._add(self._method(info, "construct"), "construct")
        for names in entries:
            self._jitted(names)
        while self.queue:
            self._reach(self.queue.pop())

    def is_cell(self, info: ClassInfo) -> bool:
        """Tell whether a class is a Cell: it has a construct, and a base that is or may be one."""
        if "construct" not in info.methods or not info.node.bases:
            return False
        if "mindspore" in info.names.module.text:
            return True
        ancestry = self.project.ancestry(info.qualified)[1:]
        return any(name.startswith("mindspore.") or name.endswith("Cell") for name in ancestry)

    def _method(self, info: ClassInfo, name: str) -> FunctionInfo:
        return FunctionInfo(f"{info.qualified}.{name}", info.methods[name], info.names, info)

    def _add(self, info: FunctionInfo, role: str) -> None:
        if info.node in self.functions or isinstance(info.node, ast.AsyncFunctionDef):
            return
        # What MindSpore's own functions are made of is the compiler's business.
        own = info.names.module.name.startswith("mindspore.")
        if role in ("method", "helper") and (own or self.runs_on_host(info)):
            return
        found = GraphFunction(info, role)
        self.functions[info.node] = found
        self.queue.append(found)

    def runs_on_host(self, info: FunctionInfo) -> bool:
        """Tell whether a decorator makes the compiler run a function in Python."""
        for decorator in info.node.decorator_list:
            name = self.decorator(decorator, info.names) or ""
            if name.rpartition(".")[2] in HOST_DECORATORS:
                return True
        return False

    def decorator(self, node: ast.expr, names: Names) -> str | None:
        """Return the qualified name of a decorator, its call apart."""
        target = node.func if isinstance(node, ast.Call) else node
        return self.project.program.reference(target, names.top, names)

    def _jitted(self, names: Names) -> None:
        """Add the functions under @jit, and those that are given to `jit(...)`."""
        if JIT_WORD.search(names.module.text) is None:
            return
        for node, scope in names.scopes.items():
            if not isinstance(node, ast.FunctionDef):
                continue
            outer = scope.parent or names.top
            for decorator in node.decorator_list:
                target = decorator.func if isinstance(decorator, ast.Call) else decorator
                if names.qualified(target, outer) in JIT:
                    self._add(self._info(node, outer, names), "jit")
        for node in self.project.program.below(names.module.tree):
            if (
                isinstance(node, ast.Call)
                and node.args
                and isinstance(node.args[0], ast.Name)
                and names.qualified(node.func, names.top) in JIT
            ):
                function = self._function_named(node.args[0], names)
                if function is not None:
                    self._add(function, "jit")

    def _info(self, node: ast.FunctionDef, outer: Scope, names: Names) -> FunctionInfo:
        owner = None
        if isinstance(outer.node, ast.ClassDef):
            owner = self.project.program.classes.get(f"{names.module.name}.{outer.node.name}")
        prefix = owner.qualified if owner is not None else names.module.name
        return FunctionInfo(f"{prefix}.{node.name}", node, names, owner)

    def _function_named(self, node: ast.Name, names: Names) -> FunctionInfo | None:
        reference = self.project.program.reference(node, names.top, names)
        defined = self.project.define(reference) if reference else None
        return self.project.program.functions.get(defined or "")

    def _reach(self, function: GraphFunction) -> None:
        """Add the methods and functions that one compiled function names."""
        info = function.info
        for node in own_nodes(function.node):
            if isinstance(node, ast.Attribute):
                method = self.own_method(node, info.owner)
                if method is not None:
                    self._add(method, "method")
                    continue
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                helper = self.helper(node, function)
                if helper is not None:
                    self._add(helper, "helper")

    def used_attributes(self, info: ClassInfo) -> set[str]:
        """Return the attributes of self that compiled methods of a class read."""
        if not self._used:
            for function in self.functions.values():
                owner = function.info.owner
                if owner is not None:
                    self._used.setdefault(owner.qualified, set()).update(
                        node.attr
                        for node in self.project.program.below(function.node)
                        if isinstance(node, ast.Attribute)
                        and isinstance(node.value, ast.Name)
                        and node.value.id == "self"
                    )
        return self._used.get(info.qualified, set())

    def own_method(self, node: ast.Attribute, owner: ClassInfo | None) -> FunctionInfo | None:
        """Return the method that `self.name` or `super().name` stands for."""
        if owner is None or node.attr.startswith("__"):
            return None
        value = node.value
        if isinstance(value, ast.Name) and value.id == "self":
            method = self.project.method(owner.qualified, node.attr)
            return None if method is None or _sets(method) else method
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == "super"
        ):
            for base in owner.bases:
                method = self.project.method(base, node.attr) if base else None
                if method is not None:
                    return method
        return None

    def helper(self, node: ast.expr, function: GraphFunction) -> FunctionInfo | None:
        """Return the function of the project that a name stands for."""
        program = self.project.program
        reference = program.reference(node, function.scope, function.names)
        if reference is None or reference.startswith(("numpy.", "builtins.")):
            return None
        defined = reference if reference in program.functions else self.project.define(reference)
        return program.functions.get(defined) if defined else None


def _sets(method: FunctionInfo) -> bool:
    """Tell whether a method is the setter of a property, which reading it does not run."""
    return any(
        isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter")
        for decorator in method.node.decorator_list
    )


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, annotations and decorators apart."""
    stack: list[ast.AST] = list(reversed(getattr(function, "body", [])))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.Raise):
            continue  # what a message is made of is seldom compiled, and never matters
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            stack.extend(reversed(node.body))
        elif isinstance(node, ast.AnnAssign):
            stack.extend(part for part in (node.value, node.target) if part is not None)
        else:
            stack.extend(reversed(children(node)))
