"""Run source and record what each attribute was read from: a tensor or not."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import torch

NAMES = frozenset(
    name
    for kind in (torch.Tensor, str, list, dict, set, tuple, int, float, Path)
    for name in dir(kind)
    if not name.startswith("__")
)
RECORD = "__record_receiver__"


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """An attribute of the source: where its name stands, and the expression that is read."""

    line: int
    column: int
    callee: str


def site_of(node: ast.Attribute) -> Site:
    """Return where the name of an attribute stands; the column counts from 1."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    column = node.end_col_offset - len(node.attr) + 1
    return Site(node.end_lineno, column, ast.unparse(node))


class Instrument(ast.NodeTransformer):
    """Put a recording call around what each attribute that is read is read from."""

    def __init__(self, sites: list[Site]) -> None:
        self.sites = sites

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Leave f-strings: Python 3.11 does not say where their parts stand."""
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        site = site_of(node)
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and node.attr in NAMES:
            record = ast.Name(RECORD, ast.Load())
            call = ast.Call(record, [ast.Constant(len(self.sites)), node.value], [])
            self.sites.append(site)
            node.value = ast.fix_missing_locations(ast.copy_location(call, node.value))
        return node


def traced(path: Path) -> dict[Site, bool]:
    """Run `run()` of a file; returns the sites that were reached, and whether of a tensor.

    Sites where both tensors and other values were seen, and those of imported modules, are left
    out.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    sites: list[Site] = []
    code = compile(Instrument(sites).visit(tree), str(path), "exec", dont_inherit=True)
    seen: dict[int, set[str]] = {}

    def record(index: int, value: object) -> object:
        kind = "tensor" if isinstance(value, torch.Tensor) else "other"
        seen.setdefault(index, set()).add("module" if isinstance(value, ModuleType) else kind)
        return value

    module = ModuleType(f"traced_{path.stem}")
    namespace = vars(module)
    namespace[RECORD] = record
    # Dataclasses look their module up.
    sys.modules[module.__name__] = module
    try:
        exec(code, namespace)  # noqa: S102 - the files are the test's own
        run: Callable[[], object] = namespace["run"]
        run()
    finally:
        del sys.modules[module.__name__]
    return {
        sites[index]: kinds == {"tensor"}
        for index, kinds in seen.items()
        if kinds in ({"tensor"}, {"other"})
    }
