"""Replace the imports of a rewritten module's text by what the text still uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from porter.plan.calls import FOREIGN
from porter.plan.context import LIBRARIES, PlanContext
from porter.rewrite.import_lines import from_lines, joined, one_by_one, splice
from porter.rewrite.layout import split_lines
from porter.source.follow import left_behind, lies_in_torch_code
from porter.source.names import Scope, absolute, analyse_names
from porter.types import Applicability

ImportNode = ast.Import | ast.ImportFrom


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the modules of a port lie, and whether unused imports of the source go too.

    The modules of a `script` are imported as a package and run as files beside each other.
    """

    siblings: dict[str, str]
    prune: bool
    script: bool = False


def rewrite_imports(context: PlanContext, layout: Layout, text: str, tree: ast.Module) -> str:
    """Return the text with its top-level imports replaced, new ones where torch's stood.

    Raises:
        SyntaxError: when the text does not parse, which is an error of porter.
    """
    rewriter = _ImportRewriter(context, layout, tree)
    new = rewriter.run(text)
    if not any(finding.applicability is Applicability.MANUAL for finding in context.findings):
        _report(context, rewriter.foreign)
    return new


def _report(context: PlanContext, foreign: dict[str, str]) -> None:
    """Report torch imports that the port still reads, although nothing says that it is incomplete.

    The source binds such a name a second time, so that its uses cannot be told apart.
    """
    for node, _ in _imports(context.names.module.tree):
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            if bound in foreign:
                context.find(
                    node,
                    "PRT102",
                    f"the port still imports {foreign[bound]}: {bound!r} is bound to something"
                    " else as well",
                    torch_name=foreign[bound],
                )


class _ImportRewriter:
    def __init__(self, context: PlanContext, layout: Layout, tree: ast.Module) -> None:
        self.context = context
        self.layout = layout
        self.tree = tree
        self.plain: set[str] = set()
        self.quoted: set[str] = set()
        self._collect_names()
        self.foreign: dict[str, str] = {}
        self.block = self._block()
        self.own = self._runtime_lines()
        self.provided = self._provided()

    def _collect_names(self) -> None:
        """Collect the plain names that the tree reads, those in quoted annotations apart."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name):
                self.plain.add(node.id)
                continue
            if isinstance(node, ast.arg | ast.AnnAssign):
                annotation = node.annotation
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                annotation = node.returns
            else:
                continue
            for part in ast.walk(annotation) if annotation is not None else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    self.quoted.update(re.findall(r"\b[^\W\d]\w*", part.value))

    def run(self, text: str) -> str:
        lines = split_lines(text)
        newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
        place: int | None = None
        written: dict[ast.stmt, list[str]] = {}
        for node, nested in _imports(self.tree):
            new = self._replacement(node)
            if self.layout.prune and not nested:
                new = self._guarded(node, new)
            if new is None:
                continue
            if not nested and place is None and self.block and self._is_replaced(node):
                place = node.lineno - 1
            written[node] = new
        for block in _blocks(self.tree.body):
            if block is not self.tree.body and all(written.get(item) == [] for item in block):
                written[block[0]] = ["pass"]
        changes: list[tuple[int, int, ast.stmt | None, list[str]]] = [
            (node.lineno - 1, node.col_offset, node, new) for node, new in written.items()
        ]
        if self.block:
            place = self._first_place() if place is None else place
            changes.append((place, -1, None, self.block))
        if self.own:
            changes.append((self._last_place(), -2, None, ["", *self.own]))
        # From the end, so that the line numbers before a change still hold.
        for line, _, statement, new in sorted(changes, key=lambda c: c[:2], reverse=True):
            if statement is None:
                lines[line:line] = [item + newline for item in new]
            else:
                splice(lines, statement, new, newline)
        return "".join(one_by_one(lines))

    def _provided(self) -> set[str]:
        """Return the names that the new block binds."""
        context = self.context
        names = {context.aliases[name] for name in context.libraries} | context.standard
        return names | {context.runtime_name(module, name) for module, name in context.runtime}

    def _block(self) -> list[str]:
        context = self.context
        lines = sorted(f"import {name}" for name in context.standard)
        if "ms" in context.libraries:
            lines.append(f"import mindspore as {context.aliases['ms']}")
        short = [
            name if context.aliases[name] == name else f"{name} as {context.aliases[name]}"
            for name in sorted(LIBRARIES)
            if name != "ms" and name in context.libraries
        ]
        if short:
            lines.append(f"from mindspore import {', '.join(short)}")
        return lines

    def _runtime_lines(self) -> list[str]:
        context = self.context
        lines: list[str] = []
        modules: dict[str, list[str]] = {}
        for module, name in sorted(context.runtime):
            written = context.runtime_name(module, name)
            modules.setdefault(module, []).append(
                name if written == name else f"{name} as {written}"
            )
        for module, names in sorted(modules.items()):
            lines += from_lines(f".runtime.{module}", names)
        for module, name in sorted(context.own):
            written = context.own_name(module, name)
            item = name if written == name else f"{name} as {written}"
            lines += from_lines(f".{self.layout.siblings[module]}", [item])
        return self._own_lines(lines)

    def _own_lines(self, lines: list[str]) -> list[str]:
        """Return imports of modules of the port so that a script finds them without a package."""
        if not self.layout.script or not lines:
            return lines
        plain = [re.sub(r"^from \. ", "", line) for line in lines]
        plain = [re.sub(r"^from \.", "from ", line) for line in plain]
        inside, beside = ([f"    {line}" for line in part] for part in (lines, plain))
        return ["if __package__:", *inside, "else:", *beside]

    def _first_place(self) -> int:
        """Return the line after the docstring and `__future__` imports."""
        place = 0
        for node in self.tree.body:
            documented = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if not (documented or future):
                break
            place = node.end_lineno or node.lineno
        return place

    def _last_place(self) -> int:
        """Return the line after the imports that a module starts with."""
        place = self._first_place()
        for node in self.tree.body:
            documented = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            guarded = isinstance(node, ast.If | ast.Try) and any(
                isinstance(inner, ImportNode) for inner in ast.walk(node)
            )
            if not (documented or guarded or isinstance(node, ImportNode)):
                break
            place = node.end_lineno or node.lineno
        return place

    def _is_replaced(self, node: ImportNode) -> bool:
        return any(
            origin.partition(".")[0] in ("torch", "numpy")
            or self.context.program.mapping.find(origin) is not None
            for _, origin in self._bindings(node)
        )

    def _bindings(self, node: ImportNode) -> list[tuple[str, str]]:
        """Return (bound name, qualified origin) of each alias."""
        if isinstance(node, ast.Import):
            return [(a.asname or a.name.partition(".")[0], a.name) for a in node.names]
        base = absolute(self.context.names.module, node)
        if node.names[0].name == "*":
            return list(self._star(node).items())
        return [(a.asname or a.name, f"{base}.{a.name}") for a in node.names]

    def _is_own(self, origin: str) -> bool:
        """Tell whether a name, or the module that it names, is part of the port."""
        own = origin in self.layout.siblings or self.context.program.defined(origin)
        return own or origin.partition(".")[0] in FOREIGN

    def _star(self, node: ast.ImportFrom) -> dict[str, str]:
        """Return what a star import brings; nothing where it is not known."""
        names = self.context.names
        return names.stars.get(absolute(names.module, node), {})

    def _wanted(self, bound: str, origin: str) -> bool:
        """Tell whether a source import still has a use that nothing else provides."""
        if bound in self.provided:
            return False
        if origin.partition(".")[0] in FOREIGN:
            return bound in self.plain and self._read(bound)
        if bound in self.plain or bound in self.quoted:
            return True
        if self.layout.prune:
            return False
        return (
            self.context.program.mapping.find(origin) is None
            and bound not in self.context.source_uses
        )

    def _read(self, bound: str) -> bool:
        """Tell whether a name is read anywhere but below a parameter or local of the same name."""
        inner = [scope for scope in self.context.names.scopes.values() if scope.parent is not None]
        if not any(bound in scope.bound for scope in inner):
            return True
        module = replace(self.context.names.module, tree=self.tree)
        names = analyse_names(module)
        stack: list[tuple[ast.AST, Scope]] = [(self.tree, names.top)]
        while stack:
            node, scope = stack.pop()
            scope = names.scopes.get(node, scope)
            if isinstance(node, ast.Name) and node.id == bound:
                nearest: Scope | None = scope
                while nearest is not None and nearest.parent is not None:
                    if bound in nearest.bound:
                        break
                    nearest = nearest.parent
                if nearest is None or nearest.parent is None:
                    return True
            stack.extend((child, scope) for child in ast.iter_child_nodes(node))
        return False

    def _replacement(self, node: ImportNode) -> list[str] | None:
        """Return the lines that take an import's place; None to leave it as it is."""
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return None
        bindings = self._bindings(node)
        star = isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        if isinstance(node, ast.ImportFrom) and star:
            base = absolute(self.context.names.module, node)
            if not bindings:
                return None
            if not self.layout.prune:
                # What the text does not read, others may import from here.
                place = self.layout.siblings.get(base)
                return self._own_lines(from_lines(f".{place}", ["*"])) if place else None
            bindings = [
                (bound, origin if self._is_own(origin) else f"{base}.{bound}")
                for bound, origin in bindings
                if bound in self.plain | self.quoted
            ]
        wanted = [self._wanted(bound, origin) for bound, origin in bindings]
        for (bound, origin), want in zip(bindings, wanted, strict=True):
            if want and origin.partition(".")[0] in FOREIGN:
                self.foreign[bound] = origin
        if isinstance(node, ast.Import):
            return self._plain_import(node, wanted)
        program = self.context.program
        groups: dict[str, list[str]] = {}
        whole: list[str] = []
        package = self.context.names.module.package
        moved = star or (node.level > 0 and bool(package)) or not all(wanted)
        for (bound, origin), want in zip(bindings, wanted, strict=True):
            if not want:
                continue
            origin = program.aliases.get(origin, origin)
            module, _, name = origin.rpartition(".")
            if star and not module:
                # A star import passes on what its module imports, whole modules as well.
                whole.append(f"import {name}" if name == bound else f"import {name} as {bound}")
                continue
            if origin in self.layout.siblings:
                module, name = ".", self.layout.siblings[origin]
                moved = True
            elif module in self.layout.siblings and program.defined(origin):
                module = f".{self.layout.siblings[module]}"
                moved = True
            elif not package:
                module = "." * node.level + module
            groups.setdefault(module, []).append(name if name == bound else f"{name} as {bound}")
        if not moved:
            return None
        own = {module: names for module, names in groups.items() if module.startswith(".")}
        lines = [line for module, names in own.items() for line in from_lines(module, names)]
        foreign = [item for item in groups.items() if item[0] not in own]
        lines = self._own_lines(lines)
        return [*whole, *(line for item in foreign for line in from_lines(*item)), *lines]

    def _guarded(self, node: ImportNode, new: list[str] | None) -> list[str] | None:
        """Let the port be imported where torch is not: what was left of torch is None there.

        What needs it fails when it is used; a finding names each such place.
        """
        foreign = {
            bound for bound, origin in self._bindings(node) if self._needs_torch(bound, origin)
        }
        alone = sum(item.lineno == node.lineno for item in self.tree.body) == 1
        if not foreign or not alone:
            return new
        kept: list[str] = []
        guarded: list[str] = []
        for line in joined([ast.unparse(node)] if new is None else new):
            statement = ast.parse(line.strip()).body[0]
            assert isinstance(statement, ast.Import | ast.ImportFrom)
            names = {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
            (guarded if names & foreign else kept).append(line)
        if not guarded:
            return new
        lines = [*kept, "try:", *(f"    {line}" for line in guarded), "except ImportError:"]
        return [*lines, *(f"    {name} = None" for name in sorted(foreign))]

    def _needs_torch(self, bound: str, origin: str) -> bool:
        if not self._wanted(bound, origin):
            return False
        program = self.context.program
        foreign = origin.partition(".")[0] in FOREIGN or program.mapping.is_external(origin)
        return foreign or lies_in_torch_code(program, origin) or left_behind(program, origin)

    def _plain_import(self, node: ast.Import, wanted: list[bool]) -> list[str] | None:
        """Return the lines that take the place of `import a, b as c`; None to leave it."""
        siblings = self.layout.siblings
        moved = [alias for alias in node.names if alias.asname and alias.name in siblings]
        if all(wanted) and not moved:
            return None
        kept = [alias for alias, want in zip(node.names, wanted, strict=True) if want]
        plain = [alias for alias in kept if alias not in moved]
        lines = [ast.unparse(ast.Import(names=plain))] if plain else []
        for alias in kept:
            if alias in moved:
                lines += self._own_lines(
                    from_lines(".", [f"{siblings[alias.name]} as {alias.asname}"])
                )
        return lines


def _imports(tree: ast.Module) -> Iterator[tuple[ImportNode, bool]]:
    """Yield the imports of a module, and whether they stand in a compound statement."""
    for block in _blocks(tree.body):
        for node in block:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield node, block is not tree.body


def _blocks(block: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Yield a block of statements and all blocks in it."""
    yield block
    for node in block:
        for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(part, name, None)
                if inner:
                    yield from _blocks(inner)
