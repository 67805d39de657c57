"""Functions within functions that are called after a name that they see was bound again."""

from __future__ import annotations

import ast
import textwrap

import pytest

from porter.source.closures import late_bindings, refused_place

LATE = {
    "assigned after": "f = lambda: x\nx = x + 1\nreturn f()",
    "def": "def f():\n    return x\nx += 1\nreturn f()",
    "item set": "k = {'a': x}\nf = {'m': lambda: k['a']}\nk['a'] = x + 5\nreturn f['m']()",
    "list changed": "k = [x]\nf = lambda: k[-1]\nk.append(x + 1)\nreturn f()",
    "turn of a comprehension": "fs = [lambda y: y + i for i in range(3)]\nreturn fs",
    "loop around assignment and call": (
        "f = lambda: x\nfor i in range(3):\n    y = f()\n    x = y + 1\nreturn x"
    ),
    "partial": "f = partial(lambda y: x + y, x)\nx = x * 2\nreturn f()",
    "given to a list": (
        "fs = []\nfor i in range(3):\n    def f(y):\n        return y + i\n"
        "    fs.append(f)\nreturn fs"
    ),
    "unpacked": "f = lambda: x\nx, z = z, x\nreturn f()",
}
RIGHT = {
    "assigned from the call": "f = lambda: x\nx = f()\nreturn x",
    "assigned before": "x = x + 1\nf = lambda: x\nreturn f()",
    "own parameter": "f = lambda x: x\nx = z + 1\nreturn f(x)",
    "value at definition": "f = lambda y=x: y\nx = x + 1\nreturn f()",
    "called at once": "z = map(lambda y: x + y, z)\nx = x + 1\nreturn x, z",
    "defined in each turn": (
        "for i in range(3):\n    def f():\n        return x + i\n    x = f()\nreturn x"
    ),
    "other arm": "if z:\n    f = lambda: x\nelse:\n    x = x + 1\n    f = lambda: x\nreturn f()",
    "not called again": "f = lambda: x\nz = f()\nx = x + 1\nreturn x, z",
    "called by each turn": "z = [f(lambda: i) for i in range(3)]\nreturn z",
}


def _function(body: str) -> tuple[ast.FunctionDef, dict[ast.AST, ast.AST]]:
    tree = ast.parse(f"def function(self, x, z):\n{textwrap.indent(body, '    ')}\n")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return function, parents


@pytest.mark.parametrize("body", LATE.values(), ids=LATE)
def test_a_name_bound_before_the_call_is_found(body: str) -> None:
    assert len(late_bindings(*_function(body))) == 1


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_what_python_and_the_graph_read_alike_is_not_found(body: str) -> None:
    assert late_bindings(*_function(body)) == []


@pytest.mark.parametrize(
    ("expression", "refused"),
    [
        ("z.append(lambda y: y)", True),
        ("z = z + [lambda y: y]", True),
        ("z['a'] = lambda y: y", True),
        ("z = max(z, key=lambda y: y)", True),
        ("z = {'a': lambda y: y}", False),
        ("z = apply([lambda y: y], x)", False),
        ("z = partial(lambda y: y, x)", False),
    ],
)
def test_lambdas_are_refused_where_a_graph_loses_them(expression: str, refused: bool) -> None:
    function, parents = _function(expression)
    (found,) = (node for node in ast.walk(function) if isinstance(node, ast.Lambda))
    assert (refused_place(found, parents) is not None) == refused
