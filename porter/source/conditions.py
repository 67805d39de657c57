"""Know which branches a port never takes: those for packages and names that it does not have."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from porter.source.names import Names, Scope, absolute
from porter.source.read import find_module, is_installed, locate_module
from porter.types import PorterError

if TYPE_CHECKING:
    from porter.source.program import Program

TORCH_ROOTS = ("torch", "torchvision", "torchaudio")
MISSING = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
UNKNOWN = object()


class Conditions:
    """What the conditions of a program's modules come to in a port.

    Only what depends on the presence of packages and of names of torch is known, and a private
    switch that nothing sets, `_EXPORT = False`: another, `USE_CACHE = False`, stays one.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._flags: dict[str, object] = {}

    def truth(self, test: ast.expr, scope: Scope, names: Names) -> bool | None:
        """Return what a condition comes to in a port, None where that is not known."""
        value = self._value(test, scope, names)
        return None if value is UNKNOWN else bool(value)

    def handler(self, node: ast.Try, names: Names) -> ast.ExceptHandler | None:
        """Return the part that runs in place of a body that imports what a port does not have."""
        imports = [item for item in node.body if isinstance(item, ast.Import | ast.ImportFrom)]
        if node.finalbody or not any(self._is_absent(item, names) for item in imports):
            return None
        for handler in node.handlers:
            if not _catches_missing(handler.type):
                continue
            inner = [part for item in handler.body for part in ast.walk(item)]
            raises = any(isinstance(part, ast.Raise) for part in inner)
            reads = any(isinstance(part, ast.Name) and part.id == handler.name for part in inner)
            return None if raises or reads else handler
        return None

    def cannot_fail(self, node: ast.Try, names: Names) -> bool:
        """Tell whether a body only imports names of torch that a port has: no handler ever runs."""
        kept = (ast.Import, ast.ImportFrom, ast.Pass)
        plain = all(
            isinstance(item, kept)
            or (isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant))
            for item in node.body
        )
        imports = [item for item in node.body if isinstance(item, ast.Import | ast.ImportFrom)]
        return plain and bool(imports) and all(self._is_present(item, names) for item in imports)

    def _is_present(self, node: ast.Import | ast.ImportFrom, names: Names) -> bool:
        base = f"{absolute(names.module, node)}." if isinstance(node, ast.ImportFrom) else ""
        origins = [f"{base}{alias.name}" for alias in node.names]
        return all(
            origin.partition(".")[0] in TORCH_ROOTS and not self.absent(origin, names)
            for origin in origins
        )

    def dead(self, names: Names) -> frozenset[ast.stmt]:
        """Return the statements of a module's top level, compound ones opened, that never run."""
        found: set[ast.stmt] = set()
        stack: list[ast.stmt] = list(names.module.tree.body)
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Try):
                handler = self.handler(node, names)
                others = [item for item in node.handlers if item is not handler]
                if handler is None and self.cannot_fail(node, names):
                    found.update(s for h in node.handlers for s in h.body)
                    stack += [*node.body, *node.orelse]
                elif handler is not None:
                    gone = [*node.body, *node.orelse, *(s for h in others for s in h.body)]
                    found.update(gone)
                    stack += handler.body
                else:
                    stack += [*node.body, *node.orelse, *(s for h in others for s in h.body)]
            elif isinstance(node, ast.If):
                truth = self.truth(node.test, names.top, names)
                if truth is not None:
                    found.update(node.orelse if truth else node.body)
                stack += [] if truth is False else node.body
                stack += [] if truth is True else node.orelse
        return frozenset(found)

    def _is_absent(self, node: ast.Import | ast.ImportFrom, names: Names) -> bool:
        if isinstance(node, ast.Import):
            return any(self.absent(alias.name, names) for alias in node.names)
        base = absolute(names.module, node)
        return any(self.absent(f"{base}.{alias.name}", names) for alias in node.names)

    def absent(self, origin: str, names: Names) -> bool:
        """Tell whether a port surely lacks an imported module or name."""
        mapping = self._program.mapping
        root = origin.partition(".")[0]
        if root in TORCH_ROOTS:
            entry = mapping.find(origin)
            return entry.manual is not None if entry else not mapping.has_below(origin)
        if root in mapping.absent:
            return True
        own = {name.partition(".")[0] for name in (*self._program.names, names.module.name)}
        known = root in own or root in sys.stdlib_module_names or mapping.is_external(origin)
        if known or mapping.is_followed(origin) or mapping.has_below(root):
            return False
        return is_installed(root) and _imports_torch(origin)

    def _value(self, node: ast.expr, scope: Scope, names: Names) -> object:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                value = self._value(operand, scope, names)
                return UNKNOWN if value is UNKNOWN else not value
            case ast.BoolOp(op=operator, values=parts):
                return self._joined(operator, parts, scope, names)
            case ast.Compare(
                left=left,
                ops=[ast.Is() | ast.IsNot() as operator],
                comparators=[ast.Constant(value=None)],
            ):
                value = self._value(left, scope, names)
                if value is UNKNOWN:
                    return UNKNOWN
                return (value is None) is isinstance(operator, ast.Is)
            case ast.Name() | ast.Attribute():
                reference = self._program.reference(node, scope, names)
                return UNKNOWN if reference is None else self._flag(reference)
            case ast.Call():
                return self._called(node, scope, names)
        return UNKNOWN

    def _joined(
        self, operator: ast.boolop, parts: list[ast.expr], scope: Scope, names: Names
    ) -> object:
        values = [self._value(part, scope, names) for part in parts]
        decisive = isinstance(operator, ast.Or)
        if any(value is not UNKNOWN and bool(value) is decisive for value in values):
            return decisive
        return UNKNOWN if UNKNOWN in values else not decisive

    def _called(self, node: ast.Call, scope: Scope, names: Names) -> object:
        match node:
            case ast.Call(func=ast.Name("hasattr"), args=[owner, ast.Constant(value=str(name))]):
                qualified = names.qualified(owner, scope)
                if qualified is None or qualified.partition(".")[0] != "torch":
                    return UNKNOWN
                return not self.absent(f"{qualified}.{name}", names)
        qualified = self._program.reference(node.func, scope, names)
        if qualified is None:
            return UNKNOWN
        if qualified == "importlib.util.find_spec" and len(node.args) == 1:
            (place,) = node.args
            asked = place.value if isinstance(place, ast.Constant) else None
            if asked == "torch":
                return True  # the port has what the source needs of it
            lacking = isinstance(asked, str) and self.absent(asked, names)
            return None if lacking else UNKNOWN
        entry = self._program.mapping.find(qualified)
        if entry is not None:
            emitted = {overload.emit for overload in entry.overloads}
            (only,) = emitted if len(emitted) == 1 else (None,)
            return {"True": True, "False": False}.get(only or "", UNKNOWN)
        function = self._program.functions.get(qualified)
        if function is None or node.args or node.keywords:
            return UNKNOWN
        body = [item for item in function.node.body if not _is_text(item)]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            return UNKNOWN
        return self._value(body[0].value, function.names.scopes[function.node], function.names)

    def _flag(self, qualified: str) -> object:
        """Return the value of a name that says whether something is there."""
        if qualified not in self._flags:
            self._flags[qualified] = UNKNOWN  # while it is being looked at
            self._flags[qualified] = self._bound(qualified)
        return self._flags[qualified]

    def _bound(self, qualified: str) -> object:
        place, _, name = qualified.rpartition(".")
        names = self._program.names.get(place)
        if names is None or name in _globals_set(names.module.tree):
            return UNKNOWN
        bindings = list(self._bindings(names, name))
        if len(bindings) != 1:
            return UNKNOWN
        value, chosen = bindings[0]
        if isinstance(value, ast.Constant):
            private = name.startswith("_") and isinstance(value.value, bool)
            return value.value if chosen or private else UNKNOWN
        return UNKNOWN if value is None else self._value(value, names.top, names)

    def _bindings(self, names: Names, name: str) -> Iterator[tuple[ast.expr | None, bool]]:
        """Yield what a name of the top level is bound to, and whether a known branch does so."""
        dead = names.dead
        stack: list[tuple[ast.stmt, bool]] = [(item, False) for item in names.module.tree.body]
        while stack:
            node, chosen = stack.pop()
            if node in dead:
                continue
            match node:
                case ast.Assign(targets=[ast.Name(id)], value=value) if id == name:
                    yield value, chosen
                case ast.If() | ast.Try():
                    inner = [*node.body, *node.orelse]
                    if isinstance(node, ast.Try):
                        inner += [s for handler in node.handlers for s in handler.body]
                    chosen = chosen or any(item in dead for item in inner)
                    stack += [(item, chosen) for item in inner]
                case _:
                    if any(
                        isinstance(part, ast.Name)
                        and part.id == name
                        and not isinstance(part.ctx, ast.Load)
                        for part in ast.walk(node)
                        if not isinstance(node, ast.FunctionDef | ast.ClassDef)
                    ):
                        yield None, False


def _catches_missing(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(item, ast.Name) and item.id in MISSING for item in kinds)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _globals_set(tree: ast.Module) -> set[str]:
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}


def _imports_torch(origin: str) -> bool:
    """Tell whether the module that an import names, or that holds the name, imports torch."""
    for place in (origin, origin.rpartition(".")[0]):
        if not place or locate_module(place) is None:
            continue
        try:
            tree = find_module(place).tree
        except PorterError:
            return False
        return any(_is_torch(node) for node in tree.body)
    return False


def _is_torch(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.level == 0 and (node.module or "").partition(".")[0] == "torch"
    return isinstance(node, ast.Import) and any(
        alias.name.partition(".")[0] == "torch" for alias in node.names
    )
