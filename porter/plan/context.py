"""Carry what planning one module needs, and collect what it decides."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from porter.plan.edits import Edit
from porter.runtime_files import SECOND, home
from porter.source.infer import Inference
from porter.source.names import Names, Scope
from porter.source.program import Program
from porter.source.recorders import Recordings
from porter.types import Applicability, Finding, Position, Severity, SiteCounts

if TYPE_CHECKING:
    from porter.plan.differentiating import Differentiation

LIBRARIES = {
    "ms": "mindspore",
    "nn": "mindspore.nn",
    "ops": "mindspore.ops",
    "mint": "mindspore.mint",
}
RUNTIME = re.compile(r"\bruntime\.(\w+)\.(\w+)")
LIBRARY = re.compile(r"(?<![\w.])(ms|nn|ops|mint)\.")
STANDARD = re.compile(r"(?<![\w.])(math|logging|warnings|functools)\.")


@dataclass(slots=True)
class PlanContext:
    """The module being planned, what is known of it, and the edits and findings so far."""

    program: Program
    inference: Inference
    names: Names
    reached: frozenset[str] | None
    graph: frozenset[ast.AST]
    recordings: Recordings = field(default_factory=Recordings)
    edits: dict[ast.AST, list[Edit]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    sites: dict[ast.AST, Applicability] = field(default_factory=dict)
    libraries: set[str] = field(default_factory=set)
    runtime: set[tuple[str, str]] = field(default_factory=set)
    own: set[tuple[str, str]] = field(default_factory=set)
    standard: set[str] = field(default_factory=set)
    vanished: set[ast.AST] = field(default_factory=set)
    statement_of: dict[ast.AST, ast.Expr] = field(default_factory=dict)
    rebinds: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    tested: set[ast.AST] = field(default_factory=set)
    settled: set[ast.AST] = field(default_factory=set)
    shown: set[ast.AST] = field(default_factory=set)
    partials: set[ast.AST] = field(default_factory=set)
    chained: set[ast.AST] = field(default_factory=set)
    spread: set[ast.AST] = field(default_factory=set)
    parameters: frozenset[str] = frozenset()
    sharing: frozenset[ast.Call] = frozenset()
    updating: frozenset[ast.Call] = frozenset()
    owner: str | None = None
    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    scope: Scope | None = None
    in_graph: bool = False
    aliases: dict[str, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    source_uses: frozenset[str] = frozenset()
    found_at: dict[Finding, ast.AST] = field(default_factory=dict)
    about_nan: bool = False
    copied: set[ast.AST] = field(default_factory=set)
    differentiation: Differentiation | None = None

    def __post_init__(self) -> None:
        taken = {name for scope in self.names.scopes.values() for name in scope.bound}
        for scope in self.names.scopes.values():
            taken.update(
                name
                for name, origin in scope.imports.items()
                if not origin.startswith(("torch", "mindspore"))
                and self.program.mapping.find(origin) is None
            )
        self.taken = frozenset(taken)
        self.aliases = {name: f"mindspore_{name}" if name in taken else name for name in LIBRARIES}

    @property
    def here(self) -> Scope:
        return self.scope if self.scope is not None else self.names.top

    def position(self, node: ast.AST) -> Position:
        line = getattr(node, "lineno", 1)
        return Position(self.names.module.display, line, getattr(node, "col_offset", 0) + 1)

    def edit(self, node: ast.AST, edit: Edit) -> None:
        """Ask for a change at a node."""
        self.edits.setdefault(node, []).append(edit)

    def site(self, node: ast.AST, applicability: Applicability = Applicability.APPLIED) -> None:
        """Count a place; the worst that was said of it stands."""
        order = list(Applicability)
        known = self.sites.get(node, Applicability.APPLIED)
        self.sites[node] = max(known, applicability, key=order.index)

    def find(
        self,
        node: ast.AST,
        code: str,
        message: str,
        *,
        applicability: Applicability = Applicability.MANUAL,
        severity: Severity = Severity.ERROR,
        torch_name: str | None = None,
        target: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Report a finding at a node and count the place."""
        self.site(node, applicability)
        finding = Finding(
            code, self.position(node), message, applicability, severity, torch_name, target, hint
        )
        if finding not in self.findings:
            self.findings.append(finding)
            self.found_at[finding] = node

    def written(self, template: str) -> str:
        """Register the imports that a template needs, and spell it with this module's names."""
        for module, name in RUNTIME.findall(template):
            self.runtime.add((home(module, name), name))
        template = RUNTIME.sub(
            lambda match: self.runtime_name(home(*match.groups()), match.group(2)), template
        )
        self.libraries.update(LIBRARY.findall(template))
        self.standard.update(STANDARD.findall(template))
        return LIBRARY.sub(lambda match: f"{self.aliases[match.group(1)]}.", template)

    def runtime_name(self, module: str, name: str) -> str:
        """Return how this module calls a name of the runtime, apart from names of its own."""
        apart = name in self.taken or (module, name) in SECOND
        return f"{module}_{name}" if apart else name

    def own_name(self, module: str, name: str) -> str:
        """Register the import of a name of another module of the port, and spell the name."""
        self.own.add((module, name))
        return f"{module.rpartition('.')[2]}_{name}" if name in self.taken else name

    def spelled(self, target: str) -> str:
        """Return how this module writes a full target name, registering the import."""
        for short, full in (
            ("nn", "mindspore.nn"),
            ("ops", "mindspore.ops"),
            ("mint", "mindspore.mint"),
        ):
            if target.startswith(f"{full}."):
                return self.written(f"{short}.{target[len(full) + 1 :]}")
        if target.startswith("mindspore."):
            return self.written(f"ms.{target[len('mindspore.') :]}")
        return self.written(target)

    def forget(self, node: ast.AST) -> None:
        """Drop what was planned and found below a node that is removed after all."""
        parts = set(ast.walk(node))
        self.findings = [item for item in self.findings if self.found_at[item] not in parts]
        for part in parts:
            self.edits.pop(part, None)
            self.sites.pop(part, None)
        self.vanished |= parts

    def only_tested(self, node: ast.AST) -> bool:
        """Tell whether a class is named in an isinstance test or an annotation only."""
        return node in self.tested

    def counts(self) -> SiteCounts:
        """Return how many places were applied, are to review, and are left."""
        total = SiteCounts()
        for value in self.sites.values():
            total = replace(total, **{value.value: getattr(total, value.value) + 1})
        return total
