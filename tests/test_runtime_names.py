"""Two functions of the runtime may have one name where ports tell them apart."""

from __future__ import annotations

import ast
from collections import defaultdict

from porter.runtime_files import DIRECTORY, SECOND


def test_a_port_can_import_any_two_names_of_the_runtime() -> None:
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for path in DIRECTORY.glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_":
                homes[node.name].add(path.stem)
    shared = {name: modules for name, modules in homes.items() if len(modules) > 1}
    plain = {
        name: [module for module in modules if (module, name) not in SECOND]
        for name, modules in shared.items()
    }
    assert all(len(modules) == 1 for modules in plain.values()), plain
    assert {name for _, name in SECOND} == shared.keys()
