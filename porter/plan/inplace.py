"""Plan in-place tensor methods: `x.add_(y)` becomes an assignment where no alias sees it."""

from __future__ import annotations

import ast

from porter.mapping.bind import Binding, bind
from porter.mapping.schema import Entry
from porter.plan.aliases import Code, bound_names, fresh_names, last_line, viewed_names
from porter.plan.context import PlanContext
from porter.plan.edits import Replace, ReplaceStatement
from porter.plan.entries import admitted, choose, raise_finding, refuse, template_of
from porter.plan.leaves import is_leaf
from porter.plan.sharing import asks_inplace, sharing, updates
from porter.source.names import dotted
from porter.types import Applicability, Severity


def plan_inplace(context: PlanContext, call: ast.Call, func: ast.Attribute) -> bool:
    """Plan `receiver.name_(...)`; returns whether the call is one of the in-place methods.

    In a graph the statement becomes `receiver = receiver.name(...)`; on a tensor that was just
    made, and that nothing else names, the call becomes that of the method without an underscore.
    Where the receiver came in as an argument or may share memory with another name, the finding
    PRT203 says that the update is not seen there.
    """
    mapping = context.program.mapping
    full = f"torch.Tensor.{func.attr}"
    entry = mapping.method(func.attr)
    if entry is None or entry.manual is not None or _keeps_receiver(entry):
        return False
    if not context.in_graph and has_torch(context):
        _plan_on_host(context, call, func, entry, full)
        return True
    statement = context.statement_of.get(call)
    is_new = isinstance(func.value, ast.Call | ast.BinOp | ast.UnaryOp) and not any(
        True for _ in sharing(func.value, context.sharing)
    )
    if statement is not None and is_state(context, func.value):
        chosen = choose(context, entry, call, func.value, full)
        if chosen is not None and admitted(context, entry, *chosen, call, full):
            context.edit(call, template_of(context, *chosen))
            written = context.written(f"ops.assign({ast.unparse(func.value)}, {{value}})")
            context.edit(statement, ReplaceStatement(written, {"value": call}))
            context.site(call)
        return True
    item = _basic_item(context, func.value) if statement is not None else None
    if statement is not None and item is not None:
        chosen = choose(context, entry, call, func.value, full)
        if chosen is not None and admitted(context, entry, *chosen, call, full):
            context.edit(call, template_of(context, *chosen))
            written = f"{ast.unparse(func.value)} = {{value}}"
            context.edit(statement, ReplaceStatement(written, {"value": call}))
            context.site(call)
            raise_finding(context, entry, call, full)
            if may_be_shared(context, item):
                _not_seen(context, call, item.id, full)
        return True
    last = None if is_new else last_update(context, call)
    if not is_new and last is None and (not isinstance(func.value, ast.Name) or statement is None):
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
    raise_finding(context, entry, call, full)
    root = _receiver(context, func.value)
    if last is not None and isinstance(root, ast.Name):
        if last is call and statement is not None:
            _rebind(context, statement, call, root, full)
        elif last is call and may_be_shared(context, root):
            _not_seen(context, call, root.id, full)
    return True


def _basic_item(context: PlanContext, node: ast.expr) -> ast.Name | None:
    """Return the tensor of `x[..., :n]`, a view that an assignment to the item updates as well.

    An index that is a tensor makes a copy. The index is written again as it stands: nothing in it
    may be of torch.
    """
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    kind = context.inference.kind(node.value).name
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if kind != "tensor" or any(isinstance(part, ast.Starred) for part in parts):
        return None
    basic = all(
        isinstance(part, ast.Slice)
        or (isinstance(part, ast.Constant) and part.value is ...)
        or context.inference.kind(part).name in ("int", "none")
        for part in parts
    )
    plain = not any(isinstance(part, ast.Call) for part in ast.walk(node.slice))
    return node.value if basic and plain else None


def is_state(context: PlanContext, node: ast.expr) -> bool:
    """Tell whether an expression is a Parameter of the class's own that its base updates."""
    match node:
        case ast.Attribute(value=ast.Name("self"), attr=name) if context.owner is not None:
            found = map(context.program.mapping.find, context.program.ancestry(context.owner))
            return any(entry is not None and name in entry.state for entry in found)
    return False


def last_update(context: PlanContext, call: ast.Call) -> ast.Call | None:
    """Return the last of the updates in a chain, `x.add_(1).mul_(2)`, whose result takes x's place.

    So it is where the chain is a statement, what a function returns, or what x is bound to: nothing
    can read x of before. None where it is elsewhere, or where a later update reads x.
    """
    root: ast.expr = call
    while isinstance(root, ast.Call) and isinstance(root.func, ast.Attribute) and _is_update(root):
        root = root.func.value
    if context.function is None or not isinstance(root, ast.Name):
        return None
    parents = context.program.parents(context.function)
    node: ast.AST = call
    last = call
    while True:
        parent = parents.get(node)
        outer = parents.get(parent) if isinstance(parent, ast.Attribute) else None
        if isinstance(outer, ast.Call) and outer.func is parent and _is_update(outer):
            read = [*outer.args, *(keyword.value for keyword in outer.keywords)]
            if any(isinstance(p, ast.Name) and p.id == root.id for r in read for p in ast.walk(r)):
                return None
            node = last = outer
        elif isinstance(parent, ast.IfExp) and node is not parent.test:
            node = parent
        elif isinstance(parent, ast.Return) or (isinstance(parent, ast.Expr) and node is last):
            return last
        elif isinstance(parent, ast.Assign):
            bound = [item.id for item in parent.targets if isinstance(item, ast.Name)]
            return last if bound == [root.id] and len(parent.targets) == 1 else None
        else:
            return None


def _is_update(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and updates(call.func.attr)


def _plan_on_host(
    context: PlanContext, call: ast.Call, func: ast.Attribute, entry: Entry, full: str
) -> None:
    """Plan an in-place method outside of a graph: the runtime gives the tensor its new values.

    A name that nobody shares is bound again instead, where no operand can change its dtype.
    """
    chained = call in context.chained
    updated = _receiver(context, func.value)
    new = not isinstance(updated, ast.Name | ast.Attribute | ast.Subscript)
    item = isinstance(updated, ast.Subscript) and context.inference.kind(
        updated.value
    ).name not in ("list", "tuple", "dict")
    statement = context.statement_of.get(call)
    hidden = new and any(True for _ in sharing(updated, context.sharing))
    lost = item and (statement is None or not _is_plain_item(context, updated))
    if not chained and (hidden or lost):
        message = f"{full} updates a tensor in place where no name can be rebound"
        refuse(context, call, "PRT102", message, entry)
        return
    chosen = choose(context, entry, call, func.value, full)
    if chosen is None or not admitted(context, entry, *chosen, call, full):
        return
    if not chosen[1].values.keys() - {"self", "value", "mean", "std", "from", "to"}:
        context.settled.add(updated)  # one value, or random ones, whatever the weight's form
    context.edit(call, template_of(context, *chosen))
    context.site(call)
    raise_finding(context, entry, call, full)
    if chained or new:
        return
    kinds = [context.inference.kind(value).name for value in call.args]
    kinds += [context.inference.kind(keyword.value).name for keyword in call.keywords]
    keeps_dtype = all(kind in ("int", "float", "bool", "shape") for kind in kinds)
    leaf = isinstance(updated, ast.Name) and statement and is_leaf(context, statement, updated.id)
    bound = keeps_dtype and not leaf
    if item and statement is not None:
        written = f"{ast.unparse(updated)} = {{value}}"
        context.edit(statement, ReplaceStatement(written, {"value": call}))
    elif isinstance(updated, ast.Name) and statement and bound and is_alone(context, updated):
        written = f"{updated.id} = {{value}}"
        context.edit(statement, ReplaceStatement(written, {"value": call}))
    else:
        _write_update(context, call, updated)
    root = updated.value if isinstance(updated, ast.Subscript) else updated
    if isinstance(root, ast.Name):
        report_views(context, root, full)


def has_torch(context: PlanContext) -> bool:
    """Tell whether a module imports torch: without it, whose tensors it updates is not known."""
    scopes = context.names.scopes.values()
    origins = [origin for scope in scopes for origin in scope.imports.values()]
    return any(origin.partition(".")[0] == "torch" for origin in origins)


def _receiver(context: PlanContext, node: ast.expr) -> ast.expr:
    """Return what an in-place call updates: `x` of `x.add_(1).mul_` and of `x.data`."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and updates(node.func.attr)
        ):
            context.chained.add(node)
            node = node.func.value
        else:
            return node


def _is_plain_item(context: PlanContext, node: ast.expr) -> bool:
    """Tell whether `x[...]` is a view that can be assigned to: numbers and slices alone."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return dotted(node.value) is not None and all(
        isinstance(part, ast.Slice)
        or (isinstance(part, ast.Constant) and part.value is not None)
        or context.inference.kind(part).name == "int"
        for part in parts
    )


def _write_update(context: PlanContext, call: ast.Call, updated: ast.expr) -> None:
    written = context.written("runtime.inplace.update({tensor}, {value})")
    context.vanished.difference_update(ast.walk(updated))
    context.edit(call, Replace(written, {"tensor": updated, "value": call}))


def code_of(context: PlanContext) -> Code:
    """Return the function, or the script, that is being planned."""
    return context.function if context.function is not None else context.names.module.tree


def is_alone(context: PlanContext, name: ast.Name) -> bool:
    """Tell whether a tensor has no other name, nor a view, when a statement is reached."""
    if name.id in context.parameters:
        return False
    code = code_of(context)
    return name.id in fresh_names(code, context.sharing, last_line(code, name))


def report_views(context: PlanContext, name: ast.Name, full: str) -> None:
    """Report an update that views of the tensor do not see: the port has them in other memory."""
    code = code_of(context)
    viewed = viewed_names(code, context.sharing, last_line(code, name))
    if name.id in viewed or _is_row(context, code, name.id):
        context.find(
            name,
            "PRT203",
            f"{full} updates {name.id!r}; a tensor that shares its memory does not see that",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
            torch_name=full,
        )


def _is_row(context: PlanContext, code: Code, name: str) -> bool:
    """Tell whether a loop over a tensor binds a name: to a view of it each time."""
    for loop in ast.walk(code):
        if not isinstance(loop, ast.For) or name not in bound_names(loop.target):
            continue
        called = loop.iter.args if isinstance(loop.iter, ast.Call) else []
        if any(context.inference.kind(item).name == "tensor" for item in (loop.iter, *called)):
            return True
    return False


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
    if not context.in_graph:
        if not context.edits.get(call):
            context.edit(call, Replace("{value}", {"value": call}))
        _write_update(context, call, updated)
        if isinstance(updated, ast.Name):
            report_views(context, updated, name)
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
        if (overload.target or "").endswith("_"):
            return None  # what it becomes updates the argument, too
        first = signature.parameters[0].name
        inplace = asks_inplace(binding) or updates(name.rpartition(".")[2])
        return binding.values.get(first) if inplace else None
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
    fresh = fresh_names(code_of(context), context.sharing)
    return name.id in context.parameters or name.id not in fresh


def rebound(statement: ast.stmt, calls: frozenset[ast.Call]) -> frozenset[str]:
    """Return the names that a statement binds to a new tensor."""
    if not isinstance(statement, ast.Assign) or not isinstance(
        statement.value, ast.BinOp | ast.Call
    ):
        return frozenset()
    if any(True for _ in sharing(statement.value, calls)):
        return frozenset()
    return frozenset(item.id for item in statement.targets if isinstance(item, ast.Name))
