"""Tell names that share a tensor from names of views of it."""

from __future__ import annotations

import ast

import pytest

from porter.plan.aliases import fresh_names, last_line, viewed_names

NO_CALLS: frozenset[ast.Call] = frozenset()


@pytest.mark.parametrize(
    ("text", "fresh"),
    [
        ("x = f(1)", {"x"}),
        ("x = f(1)\ny = x", set()),
        ("x = f(1)\ny = x + 1", {"x", "y"}),
        ("x = f(1)\nn = x.shape", {"x"}),
        ("x = f(1)\nitems.append(x)", set()),
        ("x = f(1)\nfor t in [x]:\n    pass", set()),
        ("x = [1]", set()),
    ],
)
def test_a_fresh_tensor_has_one_name(text: str, fresh: set[str]) -> None:
    assert fresh_names(ast.parse(text), NO_CALLS) == fresh


@pytest.mark.parametrize(
    ("text", "viewed"),
    [
        ("y = x", set()),
        ("y = x.view(2)", {"x", "y"}),
        ("y = x\nz = y[0]", {"x", "y", "z"}),
        ("x = x.view(2)", set()),
        ("y = x\nx = x.view(2)", {"x", "y"}),
        ("pair = (x, y)", set()),
        ("y = x.add_(1)", set()),
        ("n = x.shape", set()),
        ("for t in x.unbind():\n    pass", {"x", "t"}),
    ],
)
def test_a_view_is_another_tensor_in_the_same_memory(text: str, viewed: set[str]) -> None:
    assert viewed_names(ast.parse(text), NO_CALLS) == viewed


def test_only_what_may_have_run_counts() -> None:
    tree = ast.parse("x = f(1)\nx.add_(1)\ny = x\n")
    update = tree.body[1]
    assert fresh_names(tree, NO_CALLS, last_line(tree, update)) == {"x"}
    loop = ast.parse("x = f(1)\nwhile x:\n    x.add_(1)\n    y = x\n")
    update = next(node for node in ast.walk(loop) if isinstance(node, ast.Expr))
    assert fresh_names(loop, NO_CALLS, last_line(loop, update)) == set()
