"""Plan in-place tensor methods: `x.add_(y)` becomes an assignment where no alias sees it."""

from __future__ import annotations

import ast
from functools import lru_cache

from porter.mapping.bind import Binding, bind
from porter.mapping.schema import Entry
from porter.plan.context import PlanContext
from porter.plan.edits import ReplaceStatement
from porter.plan.entries import admitted, choose, refuse, template_of
from porter.plan.sharing import asks_inplace, sharing
from porter.types import Applicability, Severity


def plan_inplace(context: PlanContext, call: ast.Call, func: ast.Attribute) -> bool:
    """Plan `receiver.name_(...)`; returns whether the call is one of the in-place methods.

    The statement becomes `receiver = receiver.name(...)`; on a tensor that was just made, and that
    nothing else names, the call becomes that of the method without an underscore. Where the
    receiver came in as an argument or may share memory with another name, the finding PRT203 says
    that the update is not seen there.
    """
    mapping = context.program.mapping
    full = f"torch.Tensor.{func.attr}"
    entry = mapping.method(func.attr)
    if entry is None or entry.manual is not None or _keeps_receiver(entry):
        return False
    statement = context.statement_of.get(call)
    is_new = isinstance(func.value, ast.Call | ast.BinOp | ast.UnaryOp) and not any(
        True for _ in sharing(func.value, context.sharing)
    )
    if not is_new and (not isinstance(func.value, ast.Name) or statement is None):
        refuse(
            context,
            call,
            "PRT102",
            f"{full} updates a tensor in place where no name can be rebound",
            entry,
        )
        return True
    chosen = choose(context, entry, call, func.value, full)
    if chosen is None or not admitted(context, entry, *chosen, call, full):
        return True
    context.edit(call, template_of(context, *chosen))
    context.site(call)
    if isinstance(func.value, ast.Name) and statement is not None:
        _rebind(context, statement, call, func.value, full)
    return True


def plan_inplace_function(context: PlanContext, call: ast.Call, entry: Entry, name: str) -> None:
    """Plan what a rewritten function updates: `torch.relu_(x)`, `relu(x, inplace=True)`."""
    updated = _updated(call, entry, name)
    if updated is not None:
        plan_update(context, call, updated, name)


def plan_update(context: PlanContext, call: ast.Call, updated: ast.expr, name: str) -> None:
    """Plan that a call updates an argument in place, where the rewritten call gives a new tensor.

    That is seen by nobody else where the result is bound to the argument's name again.
    """
    if not any(True for _ in sharing(updated, context.sharing)):
        return
    statement = context.statement_of.get(call)
    if isinstance(updated, ast.Name) and statement is not None:
        _rebind(context, statement, call, updated, name)
        return
    known = isinstance(updated, ast.Name) and not may_be_shared(context, updated)
    if not (known and ast.unparse(updated) in context.rebinds.get(call, ())):
        _not_seen(context, call, ast.unparse(updated), name)


def _updated(call: ast.Call, entry: Entry, name: str) -> ast.expr | None:
    """Return the argument that a call of a torch function updates in place."""
    for overload in entry.overloads:
        signature = overload.signature
        binding = bind(signature, call) if signature is not None else None
        if signature is None or not signature.parameters or not isinstance(binding, Binding):
            continue
        first = signature.parameters[0].name
        updates = asks_inplace(binding) or name.endswith("_")
        return binding.values.get(first) if updates else None
    return None


def _rebind(
    context: PlanContext, statement: ast.stmt, call: ast.Call, name: ast.Name, full: str
) -> None:
    """Assign the result of a call to the name that torch would have updated."""
    context.edit(statement, ReplaceStatement(f"{name.id} = {{value}}", {"value": call}))
    if may_be_shared(context, name):
        _not_seen(context, call, name.id, full)


def _not_seen(context: PlanContext, call: ast.Call, updated: str, full: str) -> None:
    context.find(
        call,
        "PRT203",
        f"{full} gives a new tensor; a caller or another name of {updated!r}"
        " does not see the update",
        applicability=Applicability.REVIEW,
        severity=Severity.WARNING,
        torch_name=full,
    )


def _keeps_receiver(entry: Entry) -> bool:
    """Tell whether a method changes no value, so that the call stands for its receiver."""
    return all(overload.emit == "{self}" for overload in entry.overloads)


def may_be_shared(context: PlanContext, name: ast.Name) -> bool:
    """Tell whether a tensor came in as an argument or may share memory with another name."""
    fresh: frozenset[str] = frozenset()
    if context.function is not None:
        fresh = fresh_names(context.function, context.sharing)
    return name.id in context.parameters or name.id not in fresh


@lru_cache(maxsize=8)
def fresh_names(
    node: ast.FunctionDef | ast.AsyncFunctionDef, calls: frozenset[ast.Call]
) -> frozenset[str]:
    """Return names whose tensors no other name of a function can share memory with.

    `calls` are those whose result may be their first argument.
    """
    fresh: dict[str, bool] = {}
    shared: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign | ast.AnnAssign) and inner.value is not None:
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            # A name that is bound to its own tensor again gives it no second name.
            others = set(sharing(inner.value, calls)) - (set(names) if len(targets) == 1 else set())
            shared |= others
            made = not others and isinstance(inner.value, ast.BinOp | ast.Call)
            for name in names:
                fresh[name] = fresh.get(name, True) and made
        elif isinstance(inner, ast.Call) and _keeps_arguments(inner):
            for argument in inner.args:
                shared.update(sharing(argument, calls))
        elif isinstance(inner, ast.Yield) and inner.value is not None:
            shared.update(sharing(inner.value, calls))
    return frozenset(name for name, made in fresh.items() if made and name not in shared)


def rebound(statement: ast.stmt, calls: frozenset[ast.Call]) -> frozenset[str]:
    """Return the names that a statement binds to a new tensor."""
    if not isinstance(statement, ast.Assign) or not isinstance(
        statement.value, ast.BinOp | ast.Call
    ):
        return frozenset()
    if any(True for _ in sharing(statement.value, calls)):
        return frozenset()
    return frozenset(item.id for item in statement.targets if isinstance(item, ast.Name))


KEEPING = frozenset(("append", "insert", "extend", "add", "setdefault"))


def _keeps_arguments(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in KEEPING
