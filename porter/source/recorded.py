"""Follow which values torch records: leaves that require gradients, and what depends on them."""

from __future__ import annotations

import ast

from porter.source.flow_walk import Walk
from porter.source.flows import NOTHING, Flow, Unit, module_names
from porter.source.infer import Inference
from porter.source.names import Names
from porter.source.program import Program


class Recorded:
    """What each statement of a module finds: the flow of every name when it is reached."""

    def __init__(self, program: Program, inference: Inference, names: Names) -> None:
        self.program = program
        self.inference = inference
        self.names = names
        tree = names.module.tree
        graphs = {
            method
            for info in program.classes.values()
            if program.is_module(info.qualified)
            for method in info.methods.values()
        }
        self.units: list[Unit] = [tree]
        self.units += [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node not in graphs
        ]
        self.functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in self.units[1:]:
            assert not isinstance(node, ast.Module)
            self.functions.setdefault(node.name, []).append(node)
        self.incoming: dict[Unit, dict[str, Flow]] = {unit: {} for unit in self.units}
        self.returned: dict[Unit, Flow] = dict.fromkeys(self.units, NOTHING)
        self.attributes: dict[str, Flow] = {}
        self.globals: dict[str, Flow] = {}
        self.before: dict[ast.stmt, dict[str, Flow]] = {}
        self.unit_of: dict[ast.stmt, Unit] = {}
        self.modules = module_names(tree)
        for _ in range(4):
            known = self._state()
            for unit in self.units:
                walk = Walk(self, unit, dict(self.incoming[unit]))
                walk.block(unit.body)
            if self._state() == known:
                break

    def _state(self) -> object:
        incoming = {unit: dict(given) for unit, given in self.incoming.items()}
        return incoming, dict(self.returned), dict(self.attributes), dict(self.globals)

    def at(self, statement: ast.stmt, name: str) -> Flow:
        """Return the flow of a name when a statement is reached."""
        if name.startswith("self."):
            return self.attributes.get(name.removeprefix("self."), NOTHING)
        env = self.before.get(statement, {})
        if name in env:
            return env[name]
        unit = self.unit_of.get(statement)
        local = unit is not None and name in self.names.scopes[unit].bound
        return (
            NOTHING
            if local and unit is not self.names.module.tree
            else self.globals.get(name, NOTHING)
        )
