"""Plan branches: those that a port never takes go, and what a graph refuses of `try` is told."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import Drop, KeepElse, KeepHandler, Replace, Unwrap, Value
from porter.plan.statements import plan_refused
from porter.source.follow import definition_of, left_behind

VERSION_ERRORS = ("AttributeError", "TypeError", "ImportError", "ModuleNotFoundError")


def plan_if(context: PlanContext, node: ast.If) -> None:
    """Remove a branch that a port never takes: for its classes, or for what is never there."""
    by_class = context.reached is not None and _impossible(context, node.test)
    truth = context.program.conditions.truth(node.test, context.here, context.names)
    if not by_class and truth is None:
        return
    taken = truth is True and not by_class
    context.edit(node, Unwrap() if taken else KeepElse())
    context.vanished.update(ast.walk(node.test))
    for statement in node.orelse if taken else node.body:
        context.vanished.update(ast.walk(statement))


def plan_conditional(context: PlanContext, node: ast.IfExp) -> None:
    """Keep the one side of `a if test else b` that a port takes, where that is known."""
    truth = context.program.conditions.truth(node.test, context.here, context.names)
    if truth is None:
        return
    kept, left = (node.body, node.orelse) if truth else (node.orelse, node.body)
    context.edit(node, Replace("{value}", {"value": kept}))
    for part in (node.test, left):
        context.vanished.update(ast.walk(part))


def plan_absent(context: PlanContext, node: ast.Try) -> ast.ExceptHandler | None:
    """Replace a `try` that imports what a port does not have by its other branch, and return it."""
    handler = context.program.conditions.handler(node, context.names)
    bodies = [item for part in node.handlers for item in part.body]
    if handler is None and bodies and context.names.dead.issuperset(bodies):
        context.edit(node, Unwrap())
        for never in node.handlers:
            context.vanished.update(ast.walk(never))
    if handler is None:
        return None
    context.edit(node, KeepHandler(node.handlers.index(handler)))
    gone = [*node.body, *node.orelse, *(item for item in node.handlers if item is not handler)]
    for part in (handler.type, *gone):
        context.vanished.update(ast.walk(part) if part is not None else ())
    return handler


def _impossible(context: PlanContext, test: ast.expr) -> bool:
    if not (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id == "isinstance"
        and len(test.args) == 2
    ):
        return False
    classes = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
    return bool(classes) and all(_has_no_objects(context, item) for item in classes)


def plan_isinstance(context: PlanContext, call: ast.Call) -> None:
    """Take classes outside of the port out of an isinstance test: their names are not there."""
    classes = call.args[1]
    items = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    kept = [item for item in items if not _has_no_objects(context, item)]
    if len(kept) == len(items):
        return
    context.vanished.update(ast.walk(classes) if not kept else set(items) - set(kept))
    if not kept:
        context.edit(call, Replace("False"))
        return
    values: dict[str, Value] = {f"class_{i}": item for i, item in enumerate(kept)}
    names = ", ".join(f"{{{name}}}" for name in values)
    context.edit(classes, Replace(f"({names})" if len(kept) > 1 else names, values))


def _has_no_objects(context: PlanContext, node: ast.expr) -> bool:
    """Tell whether a class is not emitted, or is one whose objects are None in the port."""
    reference = context.program.reference(node, context.here, context.names)
    entry = context.program.mapping.find(reference) if reference else None
    if entry is not None and entry.overloads:
        return all(overload.emit == "None" for overload in entry.overloads)
    if context.reached is None or reference is None:
        return False
    if reference not in context.program.classes and left_behind(context.program, reference):
        found = definition_of(context.program, reference)
        if found is None:
            return False
        defined = f"{found[0].name}.{found[1]}"
        if defined in context.reached:
            # It came along by another name, under which this module is to import it.
            context.program.aliases[reference] = defined
        return defined not in context.reached
    return reference in context.program.classes and reference not in context.reached


def plan_try(context: PlanContext, node: ast.Try) -> bool:
    """Remove a `try` whose whole body vanished, or its handlers; returns whether either went.

    Graphs refuse others.
    """
    left = [
        item
        for item in node.body
        if not any(isinstance(edit, Drop) for edit in context.edits.get(item, ()))
    ]
    emptied = len(left) < len(node.body) and all(isinstance(item, ast.Pass) for item in left)
    if emptied and not node.orelse and not node.finalbody:
        context.edit(node, Drop())
        context.vanished.update(ast.walk(node))
        return True
    if context.in_graph and (_asks_version(context, node) or _only_raises(node)):
        context.edit(node, Unwrap())
        context.site(node)
        for handler in node.handlers:
            context.vanished.update(ast.walk(handler))
        return True
    if context.in_graph and _plan_default(context, node):
        return True
    plan_refused(context, node)
    return False


def _plan_default(context: PlanContext, node: ast.Try) -> bool:
    """Plan `try: x = config.name` with another value for x where there is no such attribute."""
    match node:
        case ast.Try(
            body=[ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as asked)],
            handlers=[
                ast.ExceptHandler(
                    type=ast.Name(id="AttributeError"),
                    name=None,
                    body=[ast.Assign(targets=[ast.Name(id=same)], value=default)],
                )
            ],
            orelse=[],
            finalbody=[],
        ) if name == same:
            pass
        case _:
            return False
    plain = all(
        isinstance(item, ast.Name | ast.Attribute | ast.Constant | ast.expr_context)
        for item in ast.walk(default)
    )
    if not plain or context.inference.kind(asked.value).name not in ("config", "object", "unknown"):
        return False
    other = ast.unparse(default).replace("{", "{{").replace("}", "}}")
    written = f'{{owner}}.{asked.attr} if hasattr({{owner}}, "{asked.attr}") else {other}'
    context.edit(asked, Replace(written, {"owner": asked.value}))
    context.edit(node, Unwrap())
    context.site(node)
    context.vanished.update(ast.walk(node.handlers[0]))
    return True


def _only_raises(node: ast.Try) -> bool:
    """Tell whether the handlers of a `try` only raise, and perhaps say something before."""
    return (
        not node.orelse
        and not node.finalbody
        and all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)
        and all(
            isinstance(item, ast.Raise | ast.Expr)
            for handler in node.handlers
            for item in handler.body
        )
    )


def _asks_version(context: PlanContext, node: ast.Try) -> bool:
    """Tell whether a `try` calls torch alone, and its handlers are for a torch without the call."""
    if node.orelse or node.finalbody:
        return False
    kinds = [
        kind
        for handler in node.handlers
        for kind in (handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type])
    ]
    if not all(isinstance(kind, ast.Name) and kind.id in VERSION_ERRORS for kind in kinds):
        return False
    calls = [part for item in node.body for part in ast.walk(item) if isinstance(part, ast.Call)]
    names = [context.names.qualified(call.func, context.here) or "" for call in calls]
    made = [call in context.edits for call in calls]
    return bool(calls) and all(made) and all(name.startswith("torch.") for name in names)
