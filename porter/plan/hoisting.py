"""Write expressions that a graph, or a table, does not take in another way that means the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from porter.plan.context import PlanContext
from porter.plan.edits import Before, Replace, Value

_PURE = ("isinstance", "len", "hasattr", "getattr")
_CONDITIONAL = (ast.Lambda, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.While)


def plan_assignment_expressions(
    context: PlanContext, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Write `if test(x := value):` of a graph as `x = value` and `if test(x):`.

    Only where the value is computed in any case, and before anything that could change it.
    """
    if not context.in_graph:
        return
    for node in context.program.below(function):
        if not isinstance(node, ast.NamedExpr) or context.edits.get(node):
            continue
        statement = _statement_of(context, function, node)
        if statement is None or _read_before(statement, node):
            continue
        context.edit(node, Replace(node.target.id))
        context.edit(statement, Before((f"{node.target.id} = {{value}}",), {"value": node.value}))
        context.site(node)


def _statement_of(context: PlanContext, function: ast.AST, node: ast.NamedExpr) -> ast.stmt | None:
    """Return the statement that evaluates an expression once and in any case, if one does."""
    parents = context.program.parents(function)
    child: ast.AST = node
    parent = parents[child]
    while not isinstance(child, ast.stmt):
        match parent:
            case ast.BoolOp(values=[first, *_]) if child is not first:
                return None
            case ast.IfExp(test=test) if child is not test:
                return None
            case ast.Compare(comparators=[_, *later]) if child in later:
                return None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return None
        if isinstance(parent, _CONDITIONAL):
            return None
        child, parent = parent, parents.get(parent, function)
    return child


def _read_before(statement: ast.stmt, node: ast.NamedExpr) -> bool:
    """Tell whether something that is evaluated before reads the name, or may do anything at all."""
    place = (node.lineno, node.col_offset)
    within = set(ast.walk(node))
    for part in _header(statement):
        if part in within or (getattr(part, "lineno", 0), getattr(part, "col_offset", 0)) >= place:
            continue
        if isinstance(part, ast.Name) and part.id == node.target.id:
            return True
        if isinstance(part, ast.Call) and node not in ast.walk(part):
            pure = isinstance(part.func, ast.Name) and part.func.id in _PURE
            if not pure:
                return True
    return False


def _header(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a statement evaluates itself, the statements in its blocks apart."""
    queue: list[ast.AST] = [statement]
    while queue:
        for child in ast.iter_child_nodes(queue.pop()):
            if not isinstance(child, ast.stmt):
                yield child
                queue.append(child)


def plan_nested_loops(context: PlanContext, node: ast.ListComp | ast.GeneratorExp) -> None:
    """Write a comprehension with several loops as lists of lists, which the runtime makes one."""
    values: dict[str, Value] = {"element": node.elt}
    text = "{element}"
    for number in reversed(range(len(node.generators))):
        loop = node.generators[number]
        values[f"iterable_{number}"] = loop.iter
        tests = {f"test_{number}_{place}": test for place, test in enumerate(loop.ifs)}
        values |= tests
        kept = "".join(f" if {{{name}}}" for name in tests)
        text = f"[{text} for {ast.unparse(loop.target)} in {{iterable_{number}}}{kept}]"
    for _ in node.generators[1:]:
        text = f"runtime.containers.flat({text})"
    context.edit(node, Replace(context.written(text), values))
    context.site(node)


def plan_mapped_lambda(context: PlanContext, call: ast.Call) -> bool:
    """Write `map(lambda x: value, items)` of a graph as `[value for x in items]`."""
    match call:
        case ast.Call(
            func=ast.Name("map"),
            args=[ast.Lambda(args=ast.arguments(args=[parameter], defaults=[])) as function, items],
            keywords=[],
        ) if "map" not in context.here.bound and function.args.vararg is None:
            values: dict[str, Value] = {"value": function.body, "items": items}
            context.edit(call, Replace(f"[{{value}} for {parameter.arg} in {{items}}]", values))
            context.site(call)
            return True
    return False


def without(name: str, key: str) -> str:
    """Return the text of a dictionary less one key: a dict of the graph cannot change."""
    return f'{{key: value for key, value in {name}.items() if key != "{key}"}}'


def spread(context: PlanContext, call: ast.Call) -> ast.Call:
    """Return a call with the arguments of `**name` by keyword, where name is a dict display.

    Its values must be names, or attributes of names, that are still the same at the call.
    """
    keywords: list[ast.keyword] = []
    used: list[ast.Name] = []
    dropped = False
    for keyword in call.keywords:
        if keyword.arg is not None:
            keywords.append(keyword)
            continue
        if _is_placement(context, keyword.value):
            # Where a module lies and of what it is made: a port has one place, and float32.
            context.vanished.update(ast.walk(keyword.value))
            dropped = True
            continue
        display = _display(context, keyword.value, call)
        if display is None or not isinstance(keyword.value, ast.Name):
            return call
        for key, value in zip(display.keys, display.values, strict=True):
            assert isinstance(key, ast.Constant)
            keywords.append(ast.keyword(str(key.value), value))
        used.append(keyword.value)
        context.spread.add(display)
    names = [keyword.arg for keyword in keywords]
    if not (used or dropped) or len(set(names)) < len(names):
        return call
    context.vanished.update(used)
    return ast.Call(call.func, call.args, keywords)


def _is_placement(context: PlanContext, value: ast.expr) -> bool:
    """Tell whether `**name` is what a function of the source says of a device and a dtype."""
    if context.function is None or not isinstance(value, ast.Name):
        return False
    bound = [
        node.value
        for node in context.program.below(context.function)
        if isinstance(node, ast.Assign)
        and any(isinstance(item, ast.Name) and item.id == value.id for item in node.targets)
    ]
    if len(bound) != 1 or not isinstance(bound[0], ast.Call):
        return False
    reference = context.program.reference(bound[0].func, context.here, context.names)
    function = context.program.functions.get(reference or "")
    nodes = context.program.below(function.node) if function is not None else ()
    returned = [node.value for node in nodes if isinstance(node, ast.Return)]
    return bool(returned) and all(
        isinstance(item, ast.Dict)
        and all(isinstance(k, ast.Constant) and k.value in ("device", "dtype") for k in item.keys)
        for item in returned
    )


def _display(context: PlanContext, value: ast.expr, call: ast.Call) -> ast.Dict | None:
    """Return the display that a name of the function stands for at a call."""
    function = context.function
    if function is None or not isinstance(value, ast.Name):
        return None
    parents = context.program.parents(function)
    found: ast.Dict | None = None
    for node in context.program.below(function):
        if not isinstance(node, ast.Name) or node.id != value.id:
            continue
        parent = parents[node]
        if isinstance(parent, ast.keyword) and parent.arg is None:
            continue
        if found is None and isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Dict):
            found = parent.value
            continue
        return None  # it is bound once more, or something else has it and may change it
    if found is None or not all(_is_name(key) for key in found.keys):
        return None
    roots = [_root(item) for item in found.values]
    if None in roots or _loops(parents, call) - _loops(parents, found):
        return None
    start, end = _place(found), _place(call)
    rebound = {
        node.id
        for node in context.program.below(function)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Store)
        and start < _place(node) < end
    }
    return None if start > end or rebound & set(roots) else found


def _is_name(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()


def _root(node: ast.expr) -> str | None:
    """Return the name that an expression begins with; "" for a constant, None for anything else.

    `options.get("x", None)` of a dict of options counts, too: it changes nothing.
    """
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=args, keywords=[]) if all(
            isinstance(item, ast.Constant) for item in args
        ):
            node = owner
    while isinstance(node, ast.Attribute):
        node = node.value
    if isinstance(node, ast.Constant):
        return ""
    return node.id if isinstance(node, ast.Name) else None


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _loops(parents: Mapping[ast.AST, ast.AST], node: ast.AST) -> set[ast.AST]:
    """Return the loops around a node."""
    found: set[ast.AST] = set()
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            found.add(node)
    return found
