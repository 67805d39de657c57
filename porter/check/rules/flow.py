"""Find branches and loops that the compiler cannot join or does not run as Python does."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from porter.check.rule import Context, Fix, Hit, on
from porter.plan.edits import Replace

TENSORS = ("tensor", "maybe")
CASTS = frozenset(["astype", "to", "int", "float", "bool", "half", "long", "type"])


def _is_tensor_test(context: Context, node: ast.expr) -> bool:
    """Tell whether a condition is surely a tensor's value."""
    if isinstance(node, ast.BoolOp):
        return any(_is_tensor_test(context, item) for item in node.values)
    if isinstance(node, ast.UnaryOp):
        return _is_tensor_test(context, node.operand)
    if isinstance(node, ast.Compare):
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return False
        parts = [node.left, *node.comparators]
        return any(is_tensor_value(context, part) for part in parts)
    return isinstance(node, ast.Call) and is_tensor_value(context, node)


def is_tensor_value(context: Context, node: ast.expr) -> bool:
    """A parameter itself may be a number; what a call or operator makes of a tensor is none."""
    kind = context.kind(node)
    return kind == "tensor" or (kind == "maybe" and isinstance(node, ast.Call))


def _bound(statements: Sequence[ast.stmt]) -> dict[str, ast.AST]:
    """Return the plain names that a block assigns, with what it last assigns to them."""
    found: dict[str, ast.AST] = {}
    for statement in statements:
        for part in ast.walk(statement):
            if isinstance(part, ast.Assign) and len(part.targets) == 1:
                if isinstance(part.targets[0], ast.Name):
                    found[part.targets[0].id] = part.value
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                found.setdefault(part.id, part)
    return found


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    return bool(statements) and isinstance(
        statements[-1], ast.Return | ast.Raise | ast.Break | ast.Continue
    )


@on(ast.If)
def bound_in_one_branch(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a name that only one branch of a tensor's test binds, and that is used below."""
    assert isinstance(node, ast.If)
    if not _is_tensor_test(context, node.test) or _leaves(node.body) or _leaves(node.orelse):
        return
    first, second = _bound(node.body), _bound(node.orelse)
    for name in sorted(set(first) ^ set(second)):
        if not _known_before(context, name, node.lineno) and _used_after(context, name, node):
            yield Hit(
                "PRT331",
                node,
                f"{name} is bound in one branch of a test of a tensor: the graph has both branches",
                f"give {name} a value of the same dtype before the `if`",
            )


@on(ast.If)
def dtypes_differ(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a name that one branch casts and the other does not."""
    assert isinstance(node, ast.If)
    if not _is_tensor_test(context, node.test) or _leaves(node.body) or _leaves(node.orelse):
        return
    first, second = _bound(node.body), _bound(node.orelse)
    for name in sorted(set(first) & set(second)):
        casts = [_cast_of(first[name]), _cast_of(second[name])]
        plain = [
            value
            for value, cast in zip((first[name], second[name]), casts, strict=True)
            if cast is None
        ]
        if len(plain) != 1:
            continue
        cast = next(item for item in casts if item is not None)
        # The same value, cast in one branch only: the dtypes differ unless the cast does nothing.
        if ast.dump(plain[0]) == ast.dump(cast):
            yield Hit(
                "PRT330",
                node,
                f"{name} has one dtype in the `if` and another in the `else` of a tensor's test",
                "cast in both branches, or behind them",
            )


def _cast_of(node: ast.AST) -> ast.expr | None:
    """Return what a cast such as `x.astype(...)` is made of."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CASTS
    ):
        return node.func.value
    return None


@on(ast.If)
def none_joined(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a name that is None before a tensor's test and a tensor in one of its branches."""
    assert isinstance(node, ast.If)
    if not _is_tensor_test(context, node.test) or _leaves(node.body):
        return
    for name, value in _bound(node.body).items():
        if context.kind(value) not in TENSORS or name in _bound(node.orelse):
            continue
        if _last_is_none(context, name, node.lineno) and _used_after(context, name, node):
            yield Hit(
                "PRT336",
                node,
                f"{name} is None or a tensor behind a test of a tensor: STRICT cannot join them",
                "start with a tensor",
            )


def _last_is_none(context: Context, name: str, line: int) -> bool:
    """Tell whether what a function last assigns to a name above a line is None."""
    found = [
        (part.lineno, part.value)
        for part in context.nodes
        if isinstance(part, ast.Assign)
        and part.lineno < line
        and any(isinstance(t, ast.Name) and t.id == name for t in part.targets)
    ]
    if not found:
        return False
    value = max(found, key=lambda item: item[0])[1]
    return isinstance(value, ast.Constant) and value.value is None


@on(ast.If)
def returns_differ(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a return in a tensor's test that differs in kind from the one behind it."""
    assert isinstance(node, ast.If)
    if not _is_tensor_test(context, node.test) or not node.body:
        return
    inner = node.body[-1]
    outer = node.orelse[-1] if node.orelse else _next(context, node)
    if not (isinstance(inner, ast.Return) and isinstance(outer, ast.Return)):
        return
    if inner.value is None or outer.value is None:
        return
    counts = [_count(inner.value), _count(outer.value)]
    if _known(context, inner.value) and _known(context, outer.value) and counts[0] != counts[1]:
        yield Hit(
            "PRT337",
            inner,
            "a test of a tensor returns another number of values than the code behind it",
            "return the same structure, with the same dtypes, on both ways",
        )
    casts = [_cast_of(inner.value), _cast_of(outer.value)]
    if (casts[0] is None) != (casts[1] is None):
        cast = casts[0] if casts[0] is not None else casts[1]
        plain = outer.value if casts[0] is not None else inner.value
        assert cast is not None
        if ast.dump(cast) == ast.dump(plain):
            yield Hit(
                "PRT337",
                inner,
                "a test of a tensor returns another dtype than the code behind it",
                "return the same structure, with the same dtypes, on both ways",
            )


def _count(node: ast.expr) -> int:
    return len(node.elts) if isinstance(node, ast.Tuple | ast.List) else 1


def _known(context: Context, node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple | ast.List) or context.kind(node) in TENSORS


def _next(context: Context, node: ast.stmt) -> ast.stmt | None:
    """Return the statement that follows one in its block."""
    parent = context.parents.get(node)
    for field in ("body", "orelse"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and node in block:
            position = block.index(node) + 1
            return block[position] if position < len(block) else None
    return None


@on(ast.If)
def list_grown(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a list that one branch of a tensor's test makes longer."""
    assert isinstance(node, ast.If)
    if not _is_tensor_test(context, node.test) or _leaves(node.body):
        return
    for statement in [*node.body, *node.orelse]:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in ("append", "extend", "insert")
            and context.kind(call.func.value) == "list"
        ):
            yield Hit(
                "PRT334",
                call,
                "a list has another length in each branch of a tensor's test: LAX cannot join them",
                "choose the value with ops.where, or count in a tensor",
            )


def _known_before(context: Context, name: str, line: int) -> bool:
    arguments = context.function.node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
    if any(item.arg == name for item in parameters):
        return True
    return any(
        isinstance(part, ast.Name)
        and part.id == name
        and isinstance(part.ctx, ast.Store)
        and part.lineno < line
        for part in context.nodes
    )


def _used_after(context: Context, name: str, node: ast.If) -> bool:
    """Tell whether a name is read below a statement before it is bound again."""
    end = node.end_lineno or node.lineno
    uses = sorted(
        (part.lineno, isinstance(part.ctx, ast.Store))
        for part in context.nodes
        if isinstance(part, ast.Name) and part.id == name and part.lineno > end
    )
    return bool(uses) and any(not store for line, store in uses if line == uses[0][0])


@on(ast.For, ast.comprehension)
def range_of_tensor(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `range(tensor)`."""
    assert isinstance(node, ast.For | ast.comprehension)
    call = node.iter
    if context.builtin(call, "range"):
        assert isinstance(call, ast.Call)
        if any(is_tensor_value(context, item) for item in call.args):
            yield Hit(
                "PRT332",
                call,
                "range of a tensor does not compile",
                "loop with `while` over a tensor, or take the size from x.shape",
            )


@on(ast.For, ast.comprehension)
def loop_over_tensor(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `for row in x` and `enumerate(x)`: with a dynamic shape the loop is not right."""
    assert isinstance(node, ast.For | ast.comprehension)
    value = node.iter
    if context.builtin(value, "enumerate"):
        assert isinstance(value, ast.Call)
        value = value.args[0] if value.args else value
    if context.kind(value) == "tensor" and not isinstance(value, ast.Call):
        yield Hit(
            "PRT333",
            node.iter,
            "a loop over a tensor is wrong or refused where its first dimension is dynamic",
            "write for i in range(x.shape[0]) and start from a tensor",
        )


@on(ast.Call)
def length_of_tensor(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `len(x)` of a tensor: garbage with a dynamic shape."""
    assert isinstance(node, ast.Call)
    if not context.builtin(node, "len") or len(node.args) != 1:
        return
    if context.kind(node.args[0]) == "tensor":
        yield Hit(
            "PRT333",
            node,
            "len of a tensor is a meaningless number where its first dimension is dynamic",
            "use x.shape[0]",
            Fix(((node, Replace("{x}.shape[0]", {"x": node.args[0]})),)),
        )


@on(ast.For)
def grown_over_dimension(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a list that a loop over a dimension fills, and that is stacked below."""
    assert isinstance(node, ast.For)
    if not context.builtin(node.iter, "range") or not context.kinds.changing(node.iter):
        return
    for part in ast.walk(node):
        if (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr == "append"
            and isinstance(part.func.value, ast.Name)
            and context.kind(part.func.value) == "list"
            and _joined_later(context, part.func.value.id, node)
        ):
            yield Hit(
                "PRT335",
                part,
                f"the length of {part.func.value.id} depends on a dimension: with a dynamic shape"
                " the graph has no list of that length",
                "work on the whole tensor, or write into one of the full size",
            )


def _joined_later(context: Context, name: str, loop: ast.For) -> bool:
    end = loop.end_lineno or loop.lineno
    return any(
        isinstance(part, ast.Call)
        and part.lineno > end
        and (context.qualified(part.func) or "").rpartition(".")[2] in ("stack", "cat", "concat")
        and any(isinstance(item, ast.Name) and item.id == name for item in part.args)
        for part in context.nodes
    )
