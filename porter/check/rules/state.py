"""Find attributes of the Cell that construct changes, and Parameters that it makes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from porter.check.rule import Context, Hit, on

GROWING = frozenset(
    [
        "append",
        "extend",
        "insert",
        "remove",
        "clear",
        "update",
        "setdefault",
        "pop",
        "popitem",
        "add",
        "discard",
    ]
)
PARAMETERS = frozenset(
    f"mindspore.{name}" for name in ("Parameter", "common.Parameter", "common.parameter.Parameter")
)


def _self_attribute(node: ast.AST) -> str | None:
    """Return the name in `self.name`, also below subscripts."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    ):
        return node.attr
    return None


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assign):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.AnnAssign) and node.value):
        targets = [node.target]
    else:
        targets = []
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Tuple | ast.List):
            targets.extend(target.elts)
        else:
            yield target


@on(ast.Assign, ast.AugAssign, ast.AnnAssign)
def assigned(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `self.name = ...` unless the attribute is a Parameter or a Tensor."""
    if context.owner is None:
        return
    for target in _targets(node):
        name = _self_attribute(target)
        if name is None:
            continue
        if context.kinds.attribute(context.owner.qualified, name) == "tensor":
            continue
        yield Hit(
            "PRT306",
            target,
            f"construct changes self.{name}, which is no Parameter: STRICT refuses it",
            "return the value, or make it a Parameter and use ops.assign",
        )


@on(ast.Call)
def grown(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `self.items.append(...)` and the like, which the graph forgets."""
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in GROWING:
        return
    name = _self_attribute(node.func.value)
    if name is None or context.owner is None:
        return
    if context.kinds.attribute(context.owner.qualified, name) in ("list", "dict"):
        yield Hit(
            "PRT306",
            node,
            f"self.{name}.{node.func.attr}(...) has no effect in the graph",
            "pass the values in and return them",
        )


@on(ast.Call)
def set_by_name(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `setattr(self, ...)`."""
    assert isinstance(node, ast.Call)
    if context.builtin(node, "setattr", "delattr"):
        yield Hit(
            "PRT306",
            node,
            "setattr changes an object in the graph: STRICT refuses it",
            "return the value, or make it a Parameter and use ops.assign",
        )


@on(ast.Global)
def global_state(_context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `global`: the compiled graph never sees a change."""
    assert isinstance(node, ast.Global)
    yield Hit(
        "PRT306",
        node,
        f"the graph reads the global {', '.join(node.names)} once and never writes it",
        "pass the value in and return it",
    )


@on(ast.Call)
def parameter_made(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a Parameter that is made in the graph."""
    assert isinstance(node, ast.Call)
    if context.qualified(node.func) in PARAMETERS:
        yield Hit(
            "PRT309",
            node,
            "a Parameter cannot be made in the graph",
            "make it in __init__",
        )
