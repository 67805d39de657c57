"""Plan annotations: rewrite those that make sense in MindSpore, remove all others whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.plan.context import PlanContext
from porter.plan.edits import Drop, Replace
from porter.source.follow import left_behind

Part = ast.Name | ast.Attribute


def plan_annotation(context: PlanContext, annotation: ast.expr) -> None:
    """Rewrite the names of an annotation, also of one in quotes; remove it if one has no place."""
    pending: list[tuple[ast.expr, str]] = []
    quoted: list[tuple[ast.Constant, list[tuple[Part, str]]]] = []
    for node in _parts(annotation):
        names = [node] if not isinstance(node, ast.Constant) else _names_in(str(node.value))
        targets = [(part, _target(context, part)) for part in names]
        kept = [(part, target) for part, target in targets if target]
        if any(target is None for _, target in targets):
            context.edit(annotation, Drop())
            context.vanished.update(ast.walk(annotation))
            context.site(annotation)
            return
        if isinstance(node, ast.Constant):
            quoted.append((node, kept))
        else:
            pending += kept
    for part, target in pending:
        written = context.spelled(target)
        if not (isinstance(part, ast.Name) and part.id == written):
            context.edit(part, Replace(written))
        context.site(part)
    for constant, kept in quoted:
        if kept:
            context.edit(constant, Replace(_requoted(context, str(constant.value), kept)))
            context.site(constant)


def _names_in(text: str) -> list[Part]:
    """Return the dotted names in a quoted annotation; none where it is no expression."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return []
    return [part for part in _parts(tree) if not isinstance(part, ast.Constant)]


def _requoted(context: PlanContext, text: str, names: list[tuple[Part, str]]) -> str:
    """Return a quoted annotation with its names rewritten, the rest as it was."""
    data = text.encode()
    for part, target in sorted(names, key=lambda item: item[0].col_offset, reverse=True):
        end = part.end_col_offset
        data = data[: part.col_offset] + context.spelled(target).encode() + data[end:]
    return f'"{data.decode()}"'


def _target(context: PlanContext, node: ast.expr) -> str | None:
    """Return what a name becomes: empty where it stays, None where it has no place in the port."""
    qualified = context.names.qualified(node, context.here)
    if qualified is None:
        own = context.program.reference(node, context.here, context.names)
        gone = context.reached is not None and own not in context.reached
        return None if gone and context.program.defined(own or "") else ""
    entry = context.program.mapping.find(qualified)
    if entry is None:
        foreign = qualified.partition(".")[0] == "torch"
        own = context.program.aliases.get(qualified, qualified)
        defined = context.reached is not None and context.program.defined(own)
        foreign = foreign or (defined and own not in (context.reached or ()))
        return None if foreign or left_behind(context.program, qualified) else ""
    target = entry.target
    if entry.manual is not None or entry.kind not in ("class", "module"):
        return None
    if target is not None and target.endswith(".*"):
        return f"{target[:-1]}{qualified.rpartition('.')[2]}"
    return target


def _parts(annotation: ast.AST) -> Iterator[Part | ast.Constant]:
    """Yield the dotted names of an annotation, attribute chains whole, and the texts in it."""
    stack: list[ast.AST] = [annotation]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name | ast.Attribute) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            yield node
        elif isinstance(node, ast.Subscript) and _is_literal(node.value):
            yield from _parts(node.value)
        else:
            stack.extend(ast.iter_child_nodes(node))


def _is_literal(node: ast.expr) -> bool:
    """Tell whether the texts below a name are values, not names: `Literal["a"]`."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in ("Literal", "Annotated")
