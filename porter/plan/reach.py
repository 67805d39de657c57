"""Find what a class reaches, and which functions the graph compiler will read."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.source.follow import follow
from porter.source.names import Names, Scope
from porter.source.program import ClassInfo, FunctionInfo, Program
from porter.source.read import SourceModule

HOST_METHODS = (
    "__init__",
    "_init_weights",
    "__repr__",
    "extra_repr",
    "reset_parameters",
    "post_init",
)


def reached_from(program: Program, start: str, origin: SourceModule) -> frozenset[str]:
    """Return the qualified names of all definitions that `start` needs, itself included.

    Classes named only in an isinstance test are not needed: a port that does not hold them can
    never hold their instances.
    """
    found: set[str] = set()
    tried: set[str] = set()
    queue = [start]
    while queue:
        name = queue.pop()
        name = program.aliases.get(name, name)
        if name in found:
            continue
        if not program.defined(name):
            mapping = program.mapping
            foreign = name in tried or mapping.is_external(name) or mapping.find(name) is not None
            tried.add(name)
            if not foreign and follow(program, name, origin):
                queue.append(name)
            continue
        found.add(name)
        node, names, scope = definition(program, name)
        queue.extend(references(program, node, names, scope))
    return frozenset(found)


def definition(program: Program, name: str) -> tuple[ast.AST, Names, Scope]:
    """Return the node of a definition, and the names and scope that it is read with."""
    if name in program.classes:
        info = program.classes[name]
        return info.node, info.names, info.names.top
    if name in program.functions:
        function = program.functions[name]
        return function.node, function.names, function.names.top
    statement = program.constants[name]
    names = program.names[name.rpartition(".")[0]]
    return statement, names, names.top


def references(program: Program, node: ast.AST, names: Names, scope: Scope) -> Iterable[str]:
    """Give the qualified names that a node and all below it name, methods left out apart."""
    if node in program.skipped:
        return
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and len(node.args) == 2
    ):
        yield from references(program, node.args[0], names, scope)
        return
    if isinstance(node, ast.AnnAssign | ast.arg):
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from references(program, node.value, names, scope)
        return
    if isinstance(node, ast.Name | ast.Attribute):
        reference = program.reference(node, scope, names)
        if reference is not None:
            yield reference
            if program.defined(reference):
                return
    for field, value in ast.iter_fields(node):
        if field == "returns":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from references(program, child, names, names.scopes.get(child, scope))


def graph_functions(program: Program) -> frozenset[ast.AST]:
    """Return the function nodes that are compiled: methods of modules and functions they use.

    A method that no `forward` reaches and that sets attributes works on the host. So does one that
    calls the module itself, for no graph holds itself, and what only such methods use.
    """
    found: set[ast.AST] = set()
    queue: list[FunctionInfo] = []
    for info in program.classes.values():
        if program.is_module(info.qualified):
            driving = _driving(info)
            queue.extend(
                FunctionInfo(f"{info.qualified}.{name}", node, info.names, info)
                for name, node in info.methods.items()
                if node not in program.skipped
                and (name == "forward" or not (name in driving or _on_host(name, node)))
            )
        elif program.is_autograd(info.qualified):
            queue.extend(
                FunctionInfo(f"{info.qualified}.{name}", node, info.names, info)
                for name, node in info.methods.items()
            )
    while queue:
        function = queue.pop()
        if function.node in found or function.node in program.skipped:
            continue
        found.add(function.node)
        nodes = program.below(function.node)
        found.update(node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda))
        if function.owner is not None:
            queue.extend(_own_methods(program, function.owner.qualified, nodes))
        scope = function.names.scopes[function.node]
        queue.extend(
            program.functions[reference]
            for reference in references(program, function.node, function.names, scope)
            if reference in program.functions
        )
    return frozenset(found)


def _own_methods(program: Program, owner: str, nodes: Iterable[ast.AST]) -> Iterable[FunctionInfo]:
    """Return the methods that the nodes of a method name as `self.name`, those of hosts apart."""
    for node in nodes:
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            method = program.find_method(owner, node.attr)
            if method is not None and node.attr not in HOST_METHODS:
                yield method


def _driving(info: ClassInfo) -> frozenset[str]:
    """Return the methods that call their own object, or a method that does, and what these use."""
    used = {name: _names_of_self(node) for name, node in info.methods.items()}
    driving = {
        name
        for name, node in info.methods.items()
        if any(
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id == "self"
            for inner in ast.walk(node)
        )
    }
    while True:
        more = {name for name, names in used.items() if names & driving} - driving
        if not more:
            break
        driving |= more
    driving.discard("forward")
    helpers = {inner for name in driving for inner in used[name]} & info.methods.keys()
    return frozenset(driving | helpers)


def _names_of_self(node: ast.AST) -> set[str]:
    return {
        inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == "self"
    }


def _on_host(name: str, node: ast.AST) -> bool:
    if name in HOST_METHODS or _classmethod(node):
        return True
    return any(
        isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
        for inner in ast.walk(node)
    )


def _classmethod(node: ast.AST) -> bool:
    return any(
        isinstance(d, ast.Name) and d.id == "classmethod"
        for d in getattr(node, "decorator_list", [])
    )
