"""Plan in-place tensor methods: `x.add_(y)` becomes an assignment where no alias sees it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from porter.mapping.bind import Binding, bind
from porter.mapping.schema import Entry
from porter.plan.context import PlanContext
from porter.plan.edits import ReplaceStatement
from porter.plan.entries import admitted, choose, refuse, template_of
from porter.types import Applicability, Severity


def plan_inplace(context: PlanContext, call: ast.Call, func: ast.Attribute) -> bool:
    """Plan `receiver.name_(...)`; returns whether the call is one of the in-place methods.

    The statement becomes `receiver = receiver.name(...)`. Where the receiver came in as an argument
    or may share memory with another name, the finding PRT203 says that the update is not seen
    there.
    """
    mapping = context.program.mapping
    full = f"torch.Tensor.{func.attr}"
    own = mapping.method(func.attr)
    if own is not None and (own.manual is not None or _keeps_receiver(own)):
        return False
    entry = own or mapping.method(func.attr[:-1])
    if entry is None:
        return False
    statement = context.statement_of.get(call)
    if not isinstance(func.value, ast.Name) or statement is None:
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
    _rebind(context, statement, call, func.value, full)
    return True


def plan_inplace_function(context: PlanContext, call: ast.Call, entry: Entry, name: str) -> None:
    """Plan what a rewritten function updates: `torch.relu_(x)`, `relu(x, inplace=True)`."""
    updated = _updated(call, entry, name)
    if updated is None or not any(True for _ in _sharing(updated)):
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
        inplace = binding.values.get("inplace")
        asked = isinstance(inplace, ast.Constant) and inplace.value is True
        first = signature.parameters[0].name
        return binding.values.get(first) if asked or name.endswith("_") else None
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
    fresh = fresh_names(context.function) if context.function is not None else frozenset()
    return name.id in context.parameters or name.id not in fresh


@lru_cache(maxsize=8)
def fresh_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return names whose tensors no other name of a function can share memory with."""
    fresh: dict[str, bool] = {}
    shared: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign | ast.AnnAssign) and inner.value is not None:
            sharing = set(_sharing(inner.value))
            shared |= sharing
            made = not sharing and isinstance(inner.value, ast.BinOp | ast.Call)
            for target in inner.targets if isinstance(inner, ast.Assign) else [inner.target]:
                if isinstance(target, ast.Name):
                    fresh[target.id] = fresh.get(target.id, True) and made
        elif isinstance(inner, ast.Call) and _keeps_arguments(inner):
            for argument in inner.args:
                shared.update(_sharing(argument))
        elif isinstance(inner, ast.Yield) and inner.value is not None:
            shared.update(_sharing(inner.value))
    return frozenset(name for name, made in fresh.items() if made and name not in shared)


def rebound(statement: ast.stmt) -> frozenset[str]:
    """Return the names that a statement binds to a new tensor."""
    if not isinstance(statement, ast.Assign) or not isinstance(
        statement.value, ast.BinOp | ast.Call
    ):
        return frozenset()
    if any(True for _ in _sharing(statement.value)):
        return frozenset()
    return frozenset(item.id for item in statement.targets if isinstance(item, ast.Name))


# The result of these methods is, or may be, the tensor itself or a view of it.
SHARING = frozenset(
    (
        *("view", "view_as", "reshape", "transpose", "permute", "t", "swapaxes", "movedim"),
        *("expand", "expand_as", "narrow", "select", "squeeze", "unsqueeze", "flatten"),
        *("unflatten", "unfold", "diagonal", "split", "chunk", "unbind", "detach"),
        *("contiguous", "to", "type", "type_as", "float", "half", "cpu", "cuda"),
    )
)
KEEPING = frozenset(("append", "insert", "extend", "add", "setdefault"))


def _sharing(value: ast.expr) -> Iterator[str]:
    """Yield the names whose memory the value of an expression may share."""
    match value:
        case ast.Name():
            yield value.id
        case ast.Attribute() | ast.Subscript() | ast.Starred() | ast.NamedExpr():
            yield from _sharing(value.value)
        case ast.Tuple() | ast.List() | ast.Set():
            for item in value.elts:
                yield from _sharing(item)
        case ast.Dict():
            for item in value.values:
                yield from _sharing(item)
        case ast.IfExp():
            yield from _sharing(value.body)
            yield from _sharing(value.orelse)
        case ast.BoolOp():
            for item in value.values:
                yield from _sharing(item)
        case ast.Call(func=ast.Attribute() as func) if func.attr in SHARING:
            yield from _sharing(func.value)
            # torch.transpose(x, 0, 1): the tensor is the first argument of the function.
            for item in value.args[:1]:
                yield from _sharing(item)


def _keeps_arguments(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in KEEPING
