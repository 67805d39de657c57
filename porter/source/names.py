"""Resolve dotted names to what they were imported or defined as.

A name is trusted only if its root is bound by an import of the module or of the enclosing
function, and nothing nearer shadows it; `F.gelu(x).view(1)` is no dotted name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.source.read import SourceModule
from porter.source.tree import children

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)

DEFINED_IN = re.compile(
    r"torch\.(?P<package>nn(?=\.(modules|parameter)\b)|optim(?!\.lr_scheduler)|autograd"
    r"|utils\.data|distributions)(\.[a-z_]\w*)+\.(?P<name>[A-Z]\w*)"
)
"""Classes of torch by the file that defines them: the package exports them, too."""


@dataclass(slots=True)
class Scope:
    """Names bound in one module, class or function, imports apart."""

    node: ast.AST
    parent: Scope | None
    imports: dict[str, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)

    def lookup(self, name: str) -> str | None:
        """Return the imported qualified name that `name` stands for here, else None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound:
                return None
            if name in scope.imports:
                return scope.imports[name]
            scope = scope.parent
            while scope is not None and isinstance(scope.node, ast.ClassDef):
                scope = scope.parent
        return None

    def shadows(self, name: str) -> bool:
        """Tell whether a name is bound nearer than the module: methods do not see their class."""
        scope: Scope | None = self
        while scope is not None and scope.parent is not None:
            if name in scope.bound or name in scope.imports:
                return True
            scope = scope.parent
            while scope is not None and isinstance(scope.node, ast.ClassDef):
                scope = scope.parent
        return False


def dotted(node: ast.expr) -> tuple[str, ...] | None:
    """Return the parts of a pure `a.b.c` chain, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
        return tuple(reversed(parts))
    return None


@dataclass(slots=True)
class Names:
    """Every scope of a module, and the scope in which each node stands.

    `star_imports` are those of which nothing is known; `stars` has what the others bring, by the
    module that they name. `dead` are the statements of the top level that a port never runs: what
    they bind is not there.
    """

    module: SourceModule
    top: Scope
    scopes: dict[ast.AST, Scope]
    star_imports: list[ast.ImportFrom]
    stars: dict[str, dict[str, str]] = field(default_factory=dict)
    dead: frozenset[ast.stmt] = frozenset()

    def rename(self, qualified: str, origin: str) -> None:
        """Let each import of `qualified` stand for `origin`."""
        for scope in self.scopes.values():
            for name, imported in scope.imports.items():
                if imported == qualified:
                    scope.imports[name] = origin

    def qualified(self, node: ast.expr, scope: Scope) -> str | None:
        """Return the full imported name of a dotted expression, else None."""
        parts = dotted(node)
        if parts is None:
            return None
        root = scope.lookup(parts[0])
        return None if root is None else public_name(".".join((root, *parts[1:])))


def public_name(name: str) -> str:
    """Return the name under which torch documents a class: of torch.nn.modules.conv.Conv2d, say."""
    found = DEFINED_IN.fullmatch(name)
    return name if found is None else f"torch.{found['package']}.{found['name']}"


def absolute(module: SourceModule, node: ast.ImportFrom) -> str:
    """Return the absolute module that a `from ... import` names."""
    if node.level == 0:
        return node.module or ""
    package = module.package.split(".") if module.package else []
    base = package[: len(package) - (node.level - 1)] if node.level > 1 else package
    return ".".join([*base, *([node.module] if node.module else [])])


def analyse_names(module: SourceModule, dead: frozenset[ast.stmt] = frozenset()) -> Names:
    """Collect the scopes of a module in one walk; names that dead statements bind are not there."""
    top = Scope(module.tree, None)
    scopes: dict[ast.AST, Scope] = {module.tree: top}
    stars: list[ast.ImportFrom] = []
    stack: list[tuple[ast.AST, Scope]] = [(child, top) for child in children(module.tree)]
    while stack:
        node, scope = stack.pop()
        if node in dead:
            _analyse_dead(node, top, scopes)
            continue
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                scope.bound.add(node.id)
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    scope.imports[alias.asname] = alias.name
                else:
                    root = alias.name.partition(".")[0]
                    scope.imports[root] = root
            continue
        if isinstance(node, ast.ImportFrom):
            base = absolute(module, node)
            for alias in node.names:
                if alias.name == "*":
                    stars.append(node)
                else:
                    scope.imports[alias.asname or alias.name] = (
                        f"{base}.{alias.name}" if base else alias.name
                    )
            continue
        if isinstance(node, ast.ExceptHandler) and node.name:
            scope.bound.add(node.name)
        if isinstance(node, SCOPES):
            inner = Scope(node, scope)
            scopes[node] = inner
            if not isinstance(node, ast.Lambda):
                scope.bound.add(node.name)
                stack.extend((outside, scope) for outside in _evaluated_outside(node))
            if not isinstance(node, ast.ClassDef):
                for argument in _arguments(node.args):
                    inner.bound.add(argument.arg)
                    if argument.annotation is not None:
                        stack.append((argument.annotation, scope))
                defaults = [*node.args.defaults, *node.args.kw_defaults]
                stack.extend((default, scope) for default in defaults if default is not None)
            body = node.body if isinstance(node.body, list) else [node.body]
            stack.extend((child, inner) for child in body)
            continue
        if isinstance(node, COMPREHENSIONS):
            inner = Scope(node, scope)
            scopes[node] = inner
            stack += [(child, inner) for child in children(node)]
            continue
        stack += [(child, scope) for child in children(node)]
    return Names(module, top, scopes, stars, dead=dead)


def _analyse_dead(node: ast.AST, top: Scope, scopes: dict[ast.AST, Scope]) -> None:
    """Give each function and class of a statement that never runs a scope, which nothing asks."""
    for inner in ast.walk(node):
        if isinstance(inner, SCOPES + COMPREHENSIONS):
            scopes[inner] = Scope(inner, top)


def _evaluated_outside(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> Iterator[ast.AST]:
    yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords
    elif node.returns is not None:
        yield node.returns


def _arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from arguments.posonlyargs
    yield from arguments.args
    yield from arguments.kwonlyargs
    if arguments.vararg is not None:
        yield arguments.vararg
    if arguments.kwarg is not None:
        yield arguments.kwarg
