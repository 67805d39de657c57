"""Find what a class reaches, and which functions the graph compiler will read."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from porter.plan.sharing import updates
from porter.source.call_kinds import REGISTERING
from porter.source.follow import follow
from porter.source.names import Names, Scope, dotted
from porter.source.program import ClassInfo, FunctionInfo, Program
from porter.source.read import SourceModule
from porter.source.top_level import changed_names, parts

HOST_METHODS = (
    "__init__",
    "_init_weights",
    "__repr__",
    "extra_repr",
    "reset_parameters",
    "post_init",
)
LEFT_OUT = (
    "torch.jit.ignore",
    "torch.jit.unused",
    "torch.compiler.disable",
    "torch._dynamo.disable",
)
HOST_STATEMENTS = (ast.Set, ast.SetComp, ast.Yield, ast.YieldFrom, ast.Import, ast.ImportFrom)


def reached_from(program: Program, wanted: Iterable[str], origin: SourceModule) -> frozenset[str]:
    """Return the qualified names of all definitions that the wanted ones need, with these.

    Classes named only in an isinstance test are not needed: a port that does not hold them can
    never hold their instances.
    """
    found: set[str] = set()
    tried: set[str] = set()
    queue = list(wanted)
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
        for node, names in definitions(program, name):
            queue.extend(references(program, node, names, names.top))
    return frozenset(found)


def definitions(program: Program, name: str) -> Iterable[tuple[ast.stmt, Names]]:
    """Yield the statements of the top level that bind or change a name, and the names around."""
    names = program.names[name.rpartition(".")[0]]
    for statement in program.changing[name]:
        yield statement, names


def unreached_statements(names: Names, reached: frozenset[str]) -> Iterable[ast.stmt]:
    """Yield the statements of a module's top level that what is reached does not need."""
    used: set[str] = set()
    importing: list[ast.stmt] = []
    for position, statement in enumerate(names.module.tree.body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if position == 0 and text:
            continue
        changed = changed_names(statement, names.dead)
        if any(f"{names.module.name}.{name}" in reached for name in changed):
            used |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        elif _imported_in(statement, names) and not _is_for_types(statement):
            importing.append(statement)
        else:
            yield statement
    yield from (item for item in importing if not _imported_in(item, names) & used)


def _is_for_types(statement: ast.stmt) -> bool:
    """Tell whether a statement is `if TYPE_CHECKING:`, whose names annotations alone read."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test).endswith("TYPE_CHECKING")


def _imported_in(statement: ast.stmt, names: Names) -> set[str]:
    """Return the names that imports in the branches of a statement bind."""
    found: set[str] = set()
    for inner in parts(statement):
        if inner in names.dead:
            continue
        if isinstance(inner, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in inner.names}
        found |= _imported_in(inner, names)
    return found


def _living(node: ast.If | ast.IfExp, truth: bool | None) -> Iterable[ast.AST]:
    """Yield the test where its truth is not known, and what branches that may be taken hold."""
    if truth is None:
        yield node.test
    for part, taken in ((node.body, True), (node.orelse, False)):
        if truth is None or truth is taken:
            yield from part if isinstance(part, list) else [part]


def references(program: Program, node: ast.AST, names: Names, scope: Scope) -> Iterable[str]:
    """Give the qualified names that a node and all below it name.

    Methods that are left out, and branches that a port never takes, count for nothing.
    """
    if node in program.skipped or node in names.dead:
        return
    if isinstance(node, ast.If | ast.IfExp):
        truth = program.conditions.truth(node.test, scope, names)
        for child in _living(node, truth):
            yield from references(program, child, names, names.scopes.get(child, scope))
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
    calls the module itself, for no graph holds itself, and what only such methods use; one that
    torch.jit is told to leave out, that only the constructor uses, or that no graph could hold,
    unless graphs name it.
    """
    found: set[ast.AST] = set()
    queue: list[FunctionInfo] = []
    unfit: dict[str, list[FunctionInfo]] = {}
    initializing = _initializing(program)
    for info in program.classes.values():
        if program.is_module(info.qualified):
            host = _host_methods(program, info, initializing)
            for name, node in info.methods.items():
                if node in program.skipped:
                    continue
                method = FunctionInfo(f"{info.qualified}.{name}", node, info.names, info)
                if name in host.graphs_may_name:
                    unfit.setdefault(name, []).append(method)
                elif name not in host.surely:
                    queue.append(method)
        elif "__call__" in info.methods and _takes_tensors(program, info):
            # What a module calls as it calls a module: an object that computes its attention, say.
            called = info.methods["__call__"]
            queue.append(FunctionInfo(f"{info.qualified}.__call__", called, info.names, info))
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
        for part in nodes if unfit else ():
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                queue.extend(unfit.pop(part.func.attr, ()))
        scope = function.names.scopes[function.node]
        queue.extend(
            program.functions[reference]
            for reference in references(program, function.node, function.names, scope)
            if reference in program.functions
        )
    return frozenset(found)


def _takes_tensors(program: Program, info: ClassInfo) -> bool:
    """Tell whether calling an object takes a module, to which it belongs, and tensors."""
    arguments = info.methods["__call__"].args
    named = [item.annotation for item in arguments.args if item.annotation is not None]
    kinds = {program.reference(item, info.names.top, info.names) for item in named}
    owned = any(kind is not None and program.is_module(kind) for kind in kinds)
    return owned and "torch.Tensor" in kinds


@dataclass(frozen=True, slots=True)
class _HostMethods:
    """The methods of a class that work on the host, and those that do unless a graph names them."""

    surely: frozenset[str]
    graphs_may_name: frozenset[str]


def _initializing(program: Program) -> frozenset[str]:
    """Return the methods that the initialization of weights calls on modules, and nothing else."""
    bodies: dict[str, list[ast.AST]] = {}
    for info in program.classes.values():
        for name, node in info.methods.items():
            bodies.setdefault(name, []).append(node)
    called = {
        inner.func.attr
        for node in bodies.get("_init_weights", ())
        for inner in program.below(node)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute)
    } & bodies.keys() - {"forward"}
    if not called:
        return frozenset()
    others: list[ast.AST] = [function.node for function in program.functions.values()]
    others += [
        node
        for name, nodes in bodies.items()
        for node in nodes
        if name == "forward" or not _on_host(program, name, node)
    ]
    for other in others:
        called -= {inner.attr for inner in program.below(other) if isinstance(inner, ast.Attribute)}
    return frozenset(called)


def _host_methods(program: Program, info: ClassInfo, initializing: frozenset[str]) -> _HostMethods:
    named = {name: _names_of_self(program, node) for name, node in info.methods.items()}
    used = {name: names & info.methods.keys() for name, names in named.items()}
    needed, queue = {"forward"}, list(used.get("forward", ()))
    while queue:
        name = queue.pop()
        if name not in needed:
            needed.add(name)
            queue += used[name]
    surely = {name for name, node in info.methods.items() if _on_host(program, name, node)}
    surely |= _driving(program, info, named)
    building = _building(used)
    unfit = {
        name
        for name, node in info.methods.items()
        if name in building
        or name in initializing
        or _left_out(program, FunctionInfo("", node, info.names, info))
        or _refused(program, node)
    }
    while True:
        # What calls such a method is no part of a graph either.
        more = (
            {name for name, names in used.items() if names & (unfit | (surely - needed))}
            - unfit
            - needed
            - surely
        )
        if not more:
            break
        unfit |= more
    unfit -= {"forward"}
    return _HostMethods(frozenset(surely - unfit - {"forward"}), frozenset(unfit))


def _left_out(program: Program, method: FunctionInfo) -> bool:
    """Tell whether a decorator says that torch's own compilers leave a method to Python."""
    names = (program.names_decorator(item, method) for item in method.node.decorator_list)
    return any(name in LEFT_OUT for name in names)


def _refused(program: Program, node: ast.AST) -> bool:
    """Tell whether a method has statements that no graph holds, `self.table.copy_(values)` too."""
    nodes = program.below(node)
    return any(isinstance(inner, HOST_STATEMENTS) or _updates(inner) for inner in nodes)


def _updates(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=method)):
            return method in REGISTERING
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))):
            parts = dotted(owner)
            return updates(method) and parts is not None and len(parts) > 1 and parts[0] == "self"
    return False


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


def _building(used: dict[str, set[str]]) -> frozenset[str]:
    """Return the methods that the constructor uses, and none of the others."""
    building: set[str] = set()
    queue = [*used.get("__init__", ())]
    while queue:
        name = queue.pop()
        if name not in building and name != "forward":
            building.add(name)
            queue += used[name]
    while True:
        outside = {
            inner
            for name, inner_names in used.items()
            if name != "__init__" and name not in building
            for inner in inner_names
        }
        if not building & outside:
            return frozenset(building)
        building -= outside


def _driving(program: Program, info: ClassInfo, used: dict[str, set[str]]) -> frozenset[str]:
    """Return the methods that call their own object, or a method that does, and what these use."""
    driving = {
        name
        for name, node in info.methods.items()
        if any(
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id == "self"
            for inner in program.below(node)
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


def _names_of_self(program: Program, node: ast.AST) -> set[str]:
    return {
        inner.attr
        for inner in program.below(node)
        if isinstance(inner, ast.Attribute)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == "self"
    }


def _on_host(program: Program, name: str, node: ast.AST) -> bool:
    if name in HOST_METHODS or _classmethod(node):
        return True
    return any(
        isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
        for inner in program.below(node)
    )


def _classmethod(node: ast.AST) -> bool:
    return any(
        isinstance(d, ast.Name) and d.id == "classmethod"
        for d in getattr(node, "decorator_list", [])
    )
