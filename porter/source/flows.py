"""Name the flows of gradients through values, and what hands them on."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from porter.source.names import COMPREHENSIONS

Unit = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
Flow = frozenset[str]
NOTHING: Flow = frozenset()
LEAF: Flow = frozenset(("leaf",))
GRAPH: Flow = frozenset(("graph",))

UNRECORDED = frozenset(
    [
        "argmax",
        "argmin",
        "argsort",
        "bool",
        "byte",
        "char",
        "children",
        "data_ptr",
        "detach",
        "dim",
        "element_size",
        "eval",
        "get_device",
        "int",
        "item",
        "long",
        "modules",
        "named_children",
        "named_modules",
        "nelement",
        "ndimension",
        "numel",
        "numpy",
        "short",
        "size",
        "state_dict",
        "stride",
        "tolist",
        "type_as",
    ]
)
"""Methods of tensors and modules whose results have no gradient."""
PLAIN = frozenset(
    [
        "grad",
        "data",
        "shape",
        "dtype",
        "device",
        "ndim",
        "requires_grad",
        "is_leaf",
        "grad_fn",
        "training",
        "in_features",
        "out_features",
    ]
)
"""Attributes that have none."""
PASSING = frozenset(
    [
        "dict",
        "enumerate",
        "filter",
        "iter",
        "list",
        "map",
        "next",
        "reversed",
        "set",
        "sorted",
        "sum",
        "tuple",
        "zip",
    ]
)
"""Functions of Python that hand on what they are given; max, min, abs and the like compute."""
COMPUTING = frozenset(["abs", "max", "min", "pow", "sum"])
CONTAINED = frozenset(["copy", "get", "items", "keys", "pop", "values"])
GROWING = frozenset(["add", "append", "appendleft", "extend", "insert", "update"])
MODULE_MARKS = frozenset(["eval", "named_parameters", "parameters", "train", "zero_grad"])
"""Methods that tell a module."""


def merged(left: Mapping[str, Flow], right: Mapping[str, Flow]) -> dict[str, Flow]:
    """Join what two paths know."""
    return {name: left.get(name, NOTHING) | right.get(name, NOTHING) for name in {**left, **right}}


def root_name(node: ast.expr) -> str | None:
    """Return the name that a chain of attributes, items and calls begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def module_names(tree: ast.Module) -> frozenset[str]:
    """Return the texts of what is asked for its parameters, or put into a mode."""
    return frozenset(
        ast.unparse(node.func.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MODULE_MARKS
    )


def stored_names(statements: Iterable[ast.stmt]) -> list[str]:
    """Return the names that statements bind, in order, those of scopes within them apart."""
    found: dict[str, None] = {}
    for node in _own(statements):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found[node.id] = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = None
        elif isinstance(node, ast.alias):
            found[node.asname or node.name.partition(".")[0]] = None
    return list(found)


def _own(statements: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Yield nodes in source order, without the insides of functions and comprehensions."""
    stack: list[ast.AST] = []
    stack += [*statements][::-1]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(
            node,
            (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *COMPREHENSIONS),
        ):
            continue
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.For | ast.AsyncFor):
            children = [node.target, node.iter, *node.body, *node.orelse]
        stack += children[::-1]
