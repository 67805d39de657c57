"""Find calls of a Cell, outside of what is compiled, that leave its graph as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from porter.check.rule import Hit, ModuleContext, on_module


@on_module
def stale_training(context: ModuleContext) -> Iterable[Hit]:
    """Report `net = Net()`, `net(x)`, `net.set_train()`: the graph of the first call is kept."""
    if ".set_train(" not in context.names.module.text:
        return
    bodies = [context.names.module.tree, *context.names.scopes]
    for owner in dict.fromkeys(bodies):
        if isinstance(owner, ast.Module | ast.FunctionDef):
            yield from _in_order(context, owner)


def _in_order(context: ModuleContext, owner: ast.Module | ast.FunctionDef) -> Iterator[Hit]:
    """Follow the Cells that one body makes, in the order of the text."""
    called: dict[str, bool] = {}
    parents: dict[ast.AST, ast.AST] = {}
    for node in sorted(_own(owner, parents), key=_position):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    called.pop(target.id, None)
                    if _makes_cell(context, owner, node.value):
                        called[target.id] = False
        elif isinstance(node, ast.Name) and node.id in called and isinstance(node.ctx, ast.Load):
            parent = parents.get(node)
            if isinstance(parent, ast.Call) and parent.func is node:
                called[node.id] = True
            elif isinstance(parent, ast.Attribute):
                call = parents.get(parent)
                if parent.attr != "set_train" or not isinstance(call, ast.Call):
                    continue
                if called[node.id] and not _is_false(call):
                    yield Hit(
                        "PRT353",
                        call,
                        f"{node.id} was compiled before its first set_train: that graph is used on,"
                        " as if nothing had been set",
                        f"call {node.id}.set_train(False) right behind its construction",
                    )
                if not called[node.id]:
                    del called[node.id]
            else:
                del called[node.id]


def _own(owner: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a body, those of inner functions and classes apart."""
    for child in ast.iter_child_nodes(owner):
        parents[child] = owner
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child
            yield from _own(child, parents)


def _position(node: ast.AST) -> tuple[int, int]:
    # An assignment counts where it ends: what it assigns is worked out first.
    if isinstance(node, ast.Assign):
        return (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def _makes_cell(
    context: ModuleContext, owner: ast.Module | ast.FunctionDef, value: ast.expr
) -> bool:
    if not isinstance(value, ast.Call):
        return False
    project = context.graph.project
    scope = context.names.scopes[owner]
    reference = project.program.reference(value.func, scope, context.names)
    info = project.program.classes.get((reference and project.define(reference)) or "")
    return info is not None and context.graph.is_cell(info)


def _is_false(call: ast.Call) -> bool:
    values = [*call.args, *(item.value for item in call.keywords)]
    return len(values) == 1 and isinstance(values[0], ast.Constant) and values[0].value is False
