"""Trust a dotted name only where an import binds its root and nothing nearer shadows it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from porter.source.names import Scope, analyse_names
from porter.source.read import SourceModule


def module(text: str, name: str = "package.inner.model") -> SourceModule:
    return SourceModule(name, Path("model.py"), text, ast.parse(text))


def resolved(text: str, wanted: str = "probe", name: str = "package.inner.model") -> str | None:
    """Return what the argument of `probe(...)` resolves to, in the scope where it stands."""
    names = analyse_names(module(text, name))
    found: list[tuple[ast.expr, Scope]] = []

    def visit(node: ast.AST, scope: Scope) -> None:
        scope = names.scopes.get(node, scope)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == wanted
        ):
            found.append((node.args[0], scope))
        for child in ast.iter_child_nodes(node):
            visit(child, scope)

    visit(names.module.tree, names.top)
    ((node, scope),) = found
    return names.qualified(node, scope)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch = 1\nprobe(torch.add)",
        "import torch\ndef f(torch): probe(torch.add)",
        "import torch\ndef f(*torch): probe(torch.add)",
        "import torch\ndef f(*, torch): probe(torch.add)",
        "import torch\nlambda torch: probe(torch.add)",
        "import torch\n[probe(torch.add) for torch in []]",
        "import torch\ndef f():\n    for torch in []: pass\n    probe(torch.add)",
        "import torch\ndef f():\n    with x as torch: pass\n    probe(torch.add)",
        "import torch\ndef f():\n    try: pass\n    except E as torch: pass\n    probe(torch.add)",
        "import torch\ndef f():\n    (torch := 1)\n    probe(torch.add)",
        "import torch\ndef torch(): pass\nprobe(torch.add)",
        "import torch\nclass torch: pass\nprobe(torch.add)",
        "import torch\nprobe(torch().add)",
        "import torch\nprobe(torch[0].add)",
        "def f():\n    import torch\nprobe(torch.add)",
        "probe(torch.add)",
    ],
)
def test_a_name_that_may_be_something_else_is_not_trusted(text: str) -> None:
    assert resolved(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import torch\nprobe(torch.add)", "torch.add"),
        ("import torch as t\nprobe(t.nn.functional.gelu)", "torch.nn.functional.gelu"),
        ("import torch.nn.functional\nprobe(torch.add)", "torch.add"),
        ("import torch.nn.functional as F\nprobe(F.gelu)", "torch.nn.functional.gelu"),
        ("from torch import nn as neural\nprobe(neural.Linear)", "torch.nn.Linear"),
        ("from torch import add as plus\nprobe(plus)", "torch.add"),
        ("def f():\n    import torch\n    probe(torch.add)", "torch.add"),
        ("import torch\nclass A:\n    torch = 1\n    def f(self): probe(torch.add)", "torch.add"),
        ("import torch\n[torch for torch in []]\nprobe(torch.add)", "torch.add"),
        ("if x:\n    import torch\nprobe(torch.add)", "torch.add"),
        ("from . import part\nprobe(part.f)", "package.inner.part.f"),
        ("from .part import f\nprobe(f)", "package.inner.part.f"),
        ("from ..other import f\nprobe(f)", "package.other.f"),
        ("from ... import f\nprobe(f)", "f"),
    ],
)
def test_a_name_is_followed_to_its_import(text: str, name: str) -> None:
    assert resolved(text) == name
