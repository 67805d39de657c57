"""Plan subclasses of torch.autograd.Function: a Cell whose bprop calls the source's backward.

The context becomes a dict that `forward` returns beside its result. A bprop is given the inputs and
not what `forward` kept, so that it runs `forward` once more for that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.plan.context import PlanContext
from porter.plan.edits import ClassBody, Drop, Replace, ReplaceStatement
from porter.plan.entries import refuse

UNSAID = ("mark_non_differentiable", "set_materialize_grads")
"""What only torch's own graph needs to be told: a bprop gets a tensor for every result."""


def plan_function_class(context: PlanContext, node: ast.ClassDef) -> None:
    """Plan the body of a class that derives from torch.autograd.Function."""
    methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    forward, backward = methods.get("forward"), methods.get("backward")
    reason = _refusal(methods, forward, backward)
    if forward is not None and not reason and _draws(context, forward):
        reason = "its forward draws random numbers, which its bprop would draw anew"
    if forward is None or backward is None or reason:
        refuse(context, node, "PRT110", f"{node.name} is not carried over: {reason}", None)
        return
    names = [argument.arg for argument in forward.args.args[1:]]
    name = forward.args.args[0].arg
    output, gradient = (_unused(text, [name, *names]) for text in ("output", "gradient"))
    several = len(backward.args.args) > 2
    passed = f"*{gradient}" if several else gradient
    if backward.args.vararg is not None:
        passed = f"*{context.written('runtime.autograd.as_tuple')}({gradient})"
    gradients = context.written("runtime.autograd.gradients")
    start = f'{{"needs_input_grad": {_tuple(["True"] * len(names))}}}'
    call = f"self.forward({', '.join([start, *names])})"
    construct = (
        f"def construct({', '.join(['self', *names])}):\n"
        f"    {output}, _ = {call}\n"
        f"    return {output}\n"
    )
    bprop = (
        f"def bprop({', '.join(['self', *names, output, gradient])}):\n"
        f"    _, {name} = {call}\n"
        f"    return {gradients}(self.backward({name}, {passed}), {_tuple(names)})\n"
    )
    context.edit(node, ClassBody((construct, bprop)))
    context.site(node)
    for method in (forward, backward):
        _plan_context(context, method)
    for statement in _own_statements(forward.body):
        if isinstance(statement, ast.Return) and statement.value is not None:
            values: dict[str, ast.expr | tuple[ast.expr, ...]] = {"value": statement.value}
            context.edit(statement, ReplaceStatement(f"return {{value}}, {name}", values))


def plan_apply_call(context: PlanContext, call: ast.Call) -> bool:
    """Plan `Rounding.apply(x)`; returns whether it was one.

    A bprop must be given every input: defaults that the call leaves out are written.
    """
    function = call.func
    if not isinstance(function, ast.Attribute) or not (forward := _applied(context, function)):
        return False
    missing = list(_defaults(forward))[len(call.args) :]
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if call.keywords or (starred and forward.args.defaults):
        refuse(context, call, "PRT110", "the arguments do not tell which inputs they are", None)
        return True
    values: dict[str, ast.expr | tuple[ast.expr, ...]] = {"function": function.value}
    if any(missing):
        values["given"] = tuple(call.args)
        context.edit(call, Replace(f"{{function}}()(*{{given}}, {', '.join(missing)})", values))
        context.site(call)
        return True
    context.edit(function, Replace("{function}()", values))
    context.site(function)
    return True


def plan_apply(context: PlanContext, node: ast.Attribute) -> bool:
    """Plan `Rounding.apply` as a value: an instance of the Cell; returns whether it was one."""
    forward = _applied(context, node)
    if forward is None:
        return False
    if forward.args.defaults:
        refuse(context, node, "PRT110", "a default may be left out where this is called", None)
        return True
    context.edit(node, Replace("{function}()", {"function": node.value}))
    context.site(node)
    return True


def _applied(context: PlanContext, node: ast.Attribute) -> ast.FunctionDef | None:
    """Return the forward of the function class whose `apply` an expression is."""
    kind = context.inference.kind(node.value)
    if node.attr != "apply" or kind.name != "class" or kind.cls is None:
        return None
    if not context.program.is_autograd(kind.cls):
        return None
    method = context.program.find_method(kind.cls, "forward")
    return method.node if method and isinstance(method.node, ast.FunctionDef) else None


def _refusal(
    methods: dict[str, ast.FunctionDef],
    forward: ast.FunctionDef | None,
    backward: ast.FunctionDef | None,
) -> str:
    if forward is None or backward is None:
        return "it has no forward and backward of its own"
    if "setup_context" in methods:
        return "setup_context is not; let forward take the context"
    for method in (forward, backward):
        static = any(ast.unparse(item) == "staticmethod" for item in method.decorator_list)
        if not static or not method.args.args or method.args.posonlyargs:
            return f"{method.name} is no static method that begins with a context"
    arguments = forward.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        return "a bprop cannot take * or ** parameters, which forward has"
    if not all(isinstance(default, ast.Constant) for default in arguments.defaults):
        return "a default of forward is no literal"
    return ""


def _draws(context: PlanContext, forward: ast.FunctionDef) -> bool:
    """Tell whether a forward calls what is random in torch."""
    for node in ast.walk(forward):
        if not isinstance(node, ast.Call):
            continue
        name = context.names.qualified(node.func, context.names.scopes[forward])
        entry = context.program.mapping.find(name) if name else None
        if entry is None and isinstance(node.func, ast.Attribute) and name is None:
            entry = context.program.mapping.method(node.func.attr)
        if entry is not None and entry.compare == "statistics":
            return True
    return False


def _unused(name: str, taken: list[str]) -> str:
    return name if name not in taken else _unused(f"{name}_", taken)


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _defaults(forward: ast.FunctionDef) -> Iterator[str]:
    """Yield the text of each input's default, empty where it has none."""
    yield from [""] * (len(forward.args.args) - 1 - len(forward.args.defaults))
    yield from map(ast.unparse, forward.args.defaults)


def _plan_context(context: PlanContext, method: ast.FunctionDef) -> None:
    """Turn attributes of the context into items, and refuse what else is done with it."""
    name = method.args.args[0].arg
    handled: set[ast.AST] = set()
    for node in ast.walk(method):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            handled |= _plan_message(context, node, node.value, name)
        elif isinstance(node, ast.Attribute) and node not in handled and _is(node.value, name):
            handled |= {node, node.value}
            context.edit(node, Replace(f'{{context}}["{node.attr}"]', {"context": node.value}))
        elif _is(node, name) and node not in handled:
            refuse(context, node, "PRT110", "the context is used as a value", None)


def _plan_message(
    context: PlanContext, statement: ast.Expr, call: ast.Call, name: str
) -> set[ast.AST]:
    function = call.func
    if not isinstance(function, ast.Attribute) or not _is(function.value, name):
        return set()
    if function.attr == "save_for_backward" and not call.keywords:
        template = f'{name}["saved_tensors"] = {{tensors}}'
        context.edit(statement, ReplaceStatement(template, {"tensors": tuple(call.args)}))
    elif function.attr in UNSAID:
        context.edit(statement, Drop())
        context.vanished.update(ast.walk(statement))
    else:
        refuse(context, call, "PRT110", f"{name}.{function.attr} is not carried over", None)
    return {function, function.value}


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function, those of functions inside it left out."""
    for statement in body:
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _own_statements(getattr(statement, field, []))
