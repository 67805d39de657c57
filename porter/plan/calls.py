"""Plan calls: functions and constructors by their full name, methods by what they are called on."""

from __future__ import annotations

import ast

from porter.mapping.bind import Binding, bind
from porter.mapping.schema import Entry
from porter.plan.context import PlanContext
from porter.plan.copied_weights import plan_copied_weights
from porter.plan.edits import Before, Drop, Rename, Replace, ReplaceStatement, Value
from porter.plan.entries import apply_entry, raise_finding, refuse
from porter.plan.hoisting import spread, without
from porter.plan.inplace import plan_inplace, plan_inplace_function
from porter.plan.operators import plan_reversed
from porter.plan.outputs import plan_output_call
from porter.plan.rates import plan_rates
from porter.plan.stopped import switches_recording
from porter.plan.trainable import plan_trainable
from porter.plan.values import (
    TENSOR_CLASSES,
    plan_keyword_call,
    plan_module_call,
    plan_scalar,
    plan_tensor,
    plan_type,
    takes_all_arguments,
)
from porter.source.expressions import FORWARDS
from porter.source.follow import is_missing, lies_in_torch_code
from porter.source.kinds import Kind, is_shape
from porter.source.python_kinds import CACHE_METHODS, PYTHON_METHODS, is_tensor_method
from porter.source.receivers import Receiver, receiver
from porter.types import Severity

FOREIGN = ("torch", "torchvision", "torchaudio", "einops")
MODULE_METHODS = "torch.nn.Module"
NDARRAY_METHODS = frozenset(
    (
        *("argmax", "argmin", "argsort", "clip", "max", "mean", "min", "repeat", "reshape"),
        *("round", "sort", "squeeze", "std", "sum", "swapaxes", "take", "transpose", "var", "view"),
    )
)
"""Methods that arrays of NumPy have, too, with other arguments."""
CLIPPING = "runtime.gradients."
INITIALIZATION = "runtime.initialization."


def plan_call(context: PlanContext, call: ast.Call) -> bool:
    """Plan one call; returns whether the name that it calls is dealt with."""
    if context.differentiation is not None and call in context.differentiation.handled:
        return True
    if plan_rates(context, call) or plan_copied_weights(context, call):
        return True
    if call in context.copied:
        return True  # it is part of what is written for the call around it
    plan_dynamic_name(context, call)
    if plan_reversed(context, call):
        return True
    qualified = context.names.qualified(call.func, context.here)
    if qualified is not None:
        return _plan_of_base(context, call, qualified) or _plan_function(context, call, qualified)
    if plan_output_call(context, call) or plan_module_call(context, call):
        return True
    plan_keyword_call(context, call)
    if isinstance(call.func, ast.Attribute):
        return _plan_method(context, call, call.func)
    return False


def _plan_function(context: PlanContext, call: ast.Call, name: str) -> bool:
    entry = context.program.mapping.find(name)
    if name == "functools.partial":
        context.partials.update(call.args[:1])
    if entry is None:
        if foreign(context, name):
            refuse_unmapped(context, call, name)
            return True
        return plan_output_call(context, call) or context.program.defined(name)
    if entry.kind == "class":
        if context.program.is_output_name(name):
            return plan_output_call(context, call)
        return name in TENSOR_CLASSES and plan_tensor(context, call, TENSOR_CLASSES[name])
    if plan_scalar(context, call, name):
        return True
    if name == "torch.is_grad_enabled" and switches_recording(context):
        refuse(context, call, "PRT102", "MindSpore has no switch of gradients to ask", entry)
        return True
    if entry.kind in ("decorator", "annotation", "context"):
        alone = context.function is None and call in context.statement_of
        if entry.drop and entry.kind == "context" and alone:
            # torch.set_grad_enabled(False) of a script: its statements have no gradients.
            context.edit(call, Drop())
            return True
        if entry.drop and not (name == "torch.device" and _plan_device(context, call)):
            _drop_call(context, call)
        return True
    initial = name.startswith("torch.nn.init.") or (entry.target or "").startswith(INITIALIZATION)
    if initial and call.args:
        # It makes values of its own for the whole weight, whatever the weight's form.
        context.settled.add(call.args[0])
    clipped = (entry.target or "").startswith(CLIPPING)
    if clipped and context.differentiation is None:
        refuse(context, call, "PRT214", f"{name}: no backward of this file gives gradients", entry)
        return True
    if _hides_arguments(context, entry, call):
        stands_in = entry.passed_on if entry.kind == "module" else takes_all_arguments(entry)
        if stands_in is not None:
            # What takes torch's arguments finds out itself which they are.
            context.edit(call.func, Replace(context.spelled(stands_in)))
            context.site(call)
            raise_finding(context, entry, call, name)
            return True
    if entry.overloads and entry.overloads[0].result == "optimizer" and call.args:
        plan_trainable(context, call.args[0])
    applied = apply_entry(context, entry, call, None, name)
    # Outside a graph the functions of torch.nn.init write into the parameter itself.
    written = not context.in_graph and (entry.target or "").startswith(INITIALIZATION)
    keeps = written or clipped or name.endswith("__")
    if applied and entry.kind == "function" and not keeps:
        plan_inplace_function(context, call, entry, name)
    return True


def _hides_arguments(context: PlanContext, entry: Entry, call: ast.Call) -> bool:
    """Tell whether a call has arguments of which only the running code knows what they fill."""
    if call in context.vanished:
        return False
    call = spread(context, call)
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if not starred and all(keyword.arg is not None for keyword in call.keywords):
        return False
    signatures = (item.signature for item in entry.overloads if item.signature is not None)
    return not any(isinstance(bind(signature, call), Binding) for signature in signatures)


def refuse_unmapped(context: PlanContext, node: ast.expr, name: str) -> None:
    """Report a name of torch, numpy or their kin that the table does not have."""
    if name.partition(".")[0] == "numpy":
        refuse(context, node, "PRT302", f"{name} runs on the host, outside of the graph", None)
    elif is_missing(context.program, name):
        root = name.partition(".")[0]
        message = f"no mapping for {name}, which cannot be read: {root} is not installed"
        refuse(context, node, "PRT101", message, None)
    else:
        refuse(context, node, "PRT101", f"no mapping for {name}", None)


def _plan_of_base(context: PlanContext, call: ast.Call, qualified: str) -> bool:
    """Plan `nn.LayerNorm.forward(self, x)` in a class that derives from it alone, as `super()`."""
    base, _, method = qualified.rpartition(".")
    info = context.program.classes.get(context.owner or "")
    own = info is not None and info.bases == (base,)
    called_self = bool(call.args) and ast.unparse(call.args[0]) == "self"
    plain = not any(isinstance(item, ast.Starred) for item in call.args)
    named = all(item.arg is not None for item in call.keywords)
    if not (own and called_self and plain and named and method in ("__init__", "forward")):
        return False
    values: dict[str, Value] = {"given": tuple(call.args[1:])}
    values |= {f"named_{item.arg}": item.value for item in call.keywords}
    parts = ["*{given}"] if call.args[1:] else []
    parts += [f"{item.arg}={{named_{item.arg}}}" for item in call.keywords]
    name = "construct" if method == "forward" else method
    context.edit(call, Replace(f"super().{name}({', '.join(parts)})", values))
    context.site(call)
    return True


def plan_dynamic_name(context: PlanContext, call: ast.Call) -> None:
    """Report `getattr(torch, name)`: which name is meant is not in the text."""
    if not (isinstance(call.func, ast.Name) and call.func.id == "getattr" and call.args):
        return
    owner = context.names.qualified(call.args[0], context.here)
    if owner is not None and foreign(context, owner):
        refuse(context, call, "PRT003", f"which name of {owner} is meant is not in the text", None)


def plan_presence(context: PlanContext, node: ast.Call | ast.Compare) -> bool:
    """Write whether torch has a name, `hasattr(torch, "name")` or `"name" in dir(torch)`.

    It is what the port has in its place that counts: the table says it.
    """
    match node:
        case ast.Call(func=ast.Name("hasattr"), args=[owner, ast.Constant(value=str(name))]):
            pass
        case ast.Compare(
            left=ast.Constant(value=str(name)),
            ops=[ast.In()],
            comparators=[ast.Call(func=ast.Name("dir"), args=[owner])],
        ):
            pass
        case _:
            return False
    qualified = context.names.qualified(owner, context.here)
    if qualified is None or qualified.partition(".")[0] != "torch":
        return False
    entry = context.program.mapping.find(f"{qualified}.{name}")
    context.edit(node, Replace(str(entry is not None and entry.manual is None)))
    context.site(node)
    context.vanished.update(part for part in ast.walk(node) if part is not node)
    return True


def _plan_device(context: PlanContext, call: ast.Call) -> bool:
    """Write a device that something reads as its name."""
    names = ("type", "index")
    given = dict(zip(names, call.args, strict=False))
    given |= {item.arg: item.value for item in call.keywords if item.arg in names}
    plain = not any(isinstance(item, ast.Starred) for item in call.args)
    if call in context.vanished or not plain or "type" not in given:
        return False
    if len(given) != len(call.args) + len(call.keywords):
        return False
    template = "{type}" if "index" not in given else '"%s:%s" % ({type}, {index})'
    context.edit(call, Replace(template, dict(given)))
    context.site(call)
    return True


def _drop_call(context: PlanContext, call: ast.Call) -> None:
    """A dropped name that is called outside its usual place cannot just vanish."""
    if call not in context.edits and call not in context.vanished:
        context.find(call, "PRT102", f"{ast.unparse(call.func)} has no meaning here in MindSpore")


def foreign(context: PlanContext, name: str) -> bool:
    """Tell whether an unmapped name has no place in a port."""
    root = name.partition(".")[0]
    if root in FOREIGN or (root == "numpy" and context.in_graph):
        return True
    if (context.in_graph or context.owner) and is_missing(context.program, name):
        return True
    return context.program.mapping.is_external(name) or lies_in_torch_code(context.program, name)


def _plan_method(context: PlanContext, call: ast.Call, func: ast.Attribute) -> bool:
    kind = context.inference.kind(func.value)
    name = func.attr
    if name == "pop" and kind.name == "dict" and _plan_pop(context, call, func.value):
        return True
    if name == "copy" and kind.name == "dict" and context.in_graph and not call.args:
        template = "{key: value for key, value in {self}.items()}"
        context.edit(call, Replace(template, {"self": func.value}))
        context.site(call)
        return True
    if name == "numel" and is_shape(kind) and kind.name != "list":
        template = context.written("runtime.shaping.product({self})")
        context.edit(call, Replace(template, {"self": func.value}))
        context.site(call)
        return True
    if name in FORWARDS and _is_module_value(context, func.value, kind):
        context.edit(func, Rename("construct"))
        context.site(call)
        return True
    listed = kind.name == "modules" and context.program.mapping.find(f"{MODULE_METHODS}.{name}")
    named = kind.name == "unknown" and name.startswith("named_") and not context.in_graph
    named = named and name not in context.inference.defined
    if kind.name == "module" or listed or named or _is_super(func.value):
        return _plan_module_method(context, call, func, kind)
    if name in CACHE_METHODS and not kind.sure:
        return False
    entry = context.program.mapping.method(name)
    full = f"torch.Tensor.{name}"
    found = receiver(context.inference, func, call)
    in_place = name.endswith("_") and not name.startswith("_")
    # A method that is in the table without its underscore only.
    guessed = kind.name == "unknown" and is_tensor_method(name)
    guessed = guessed and name not in context.inference.defined
    if in_place and (guessed or kind.name == "tensor") and plan_inplace(context, call, func):
        return True
    if entry is None:
        if kind.name == "tensor" and kind.sure:
            refuse(context, call, "PRT101", f"no mapping for {full}", None)
        elif kind.name == "tensor":
            _cannot_tell(context, call, name, full)
        return kind.name == "tensor"
    foreign_call = found is Receiver.ASSUMED and not context.in_graph and name in NDARRAY_METHODS
    if foreign_call and not _binds(entry, call, func.value):
        _cannot_tell(context, call, name, full)
        return True
    if found.is_tensor:
        return plan_type(context, call, func) or _apply_method(context, call, func, entry, full)
    alone = len(call.args) == 1 and not call.keywords and context.in_graph
    own = name in context.inference.defined
    if name == "to" and alone and not own and _is_device(context, call.args[0]):
        # Whatever it is, there is one device.
        context.edit(call, Replace("{self}", {"self": func.value}))
        context.vanished.update(ast.walk(call.args[0]))
        context.site(call)
        return True
    if found is Receiver.OTHER or own:
        return False
    if name in PYTHON_METHODS and not context.in_graph:
        return False
    if entry.difference == "same":
        return False
    _cannot_tell(context, call, name, full)
    return True


def _is_device(context: PlanContext, node: ast.expr) -> bool:
    kind = context.inference.kind(node).name
    asked = isinstance(node, ast.Attribute) and node.attr == "device"
    return kind == "device" or (kind == "unknown" and asked)


def _binds(entry: Entry, call: ast.Call, receiver: ast.expr) -> bool:
    """Tell whether a call can be that of a tensor: `x.transpose([1, 0])` is NumPy's."""
    signatures = [item.signature for item in entry.overloads if item.signature is not None]
    bound = [bind(signature, call, receiver) for signature in signatures]
    return not bound or any(isinstance(item, Binding) or item.code != "PRT107" for item in bound)


def _cannot_tell(context: PlanContext, call: ast.Call, name: str, full: str) -> None:
    context.find(
        call,
        "PRT004",
        f"cannot tell whether .{name}() is called on a tensor; left as it is",
        severity=Severity.WARNING,
        torch_name=full,
        hint="annotate the variable as torch.Tensor",
    )


def _plan_pop(context: PlanContext, call: ast.Call, owner: ast.expr) -> bool:
    """Plan `options.pop("name", None)`, alone or assigned: a dict of the graph cannot change."""
    if not context.in_graph or not isinstance(owner, ast.Name) or context.function is None:
        return False
    statement = context.program.parents(context.function)[call]
    assigned = isinstance(statement, ast.Assign) and isinstance(statement.targets[-1], ast.Name)
    if not isinstance(statement, ast.Expr) and not assigned:
        return False
    key = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    if len(call.args) != 2 or not isinstance(key, str) or not key.isidentifier():
        return False
    name = owner.id
    if isinstance(statement, ast.Assign):
        got = f'{ast.unparse(statement.targets[-1])} = {name}.get("{key}", {{default}})'
        context.edit(statement, Before((got,), {"default": call.args[1]}))
    context.edit(statement, ReplaceStatement(f"{name} = {without(name, key)}"))
    context.site(call)
    return True


def _apply_method(
    context: PlanContext, call: ast.Call, func: ast.Attribute, entry: Entry, full: str
) -> bool:
    if entry.kind == "attribute":
        return False
    if context.inference.kind(func.value).optional and context.in_graph:
        context.site(call)
    return apply_entry(context, entry, call, func.value, full)


def _plan_module_method(
    context: PlanContext, call: ast.Call, func: ast.Attribute, kind: Kind
) -> bool:
    """Methods of torch.nn.Module that a Cell does not have under the same name."""
    if kind.cls is not None and context.program.find_method(kind.cls, func.attr) is not None:
        return True
    names = (f"{kind.cls}.{func.attr}", f"{MODULE_METHODS}.{func.attr}")
    name = next((name for name in names if context.program.mapping.find(name) is not None), "")
    entry = context.program.mapping.find(name)
    if entry is None or _is_super(func.value):
        return False
    return apply_entry(context, entry, call, func.value, name)


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _is_module_value(context: PlanContext, node: ast.expr, kind: Kind) -> bool:
    if kind.name in ("module", "class"):
        own = kind.cls in context.program.classes
        return not own or context.program.is_module(kind.cls or "")
    return (kind.name == "unknown" or _is_super(node)) and context.in_graph


def plan_call_statement(context: PlanContext, statement: ast.Expr) -> None:
    """Remove a statement whose whole call vanishes."""
    edits = context.edits.get(statement.value, [])
    if any(isinstance(edit, Drop) for edit in edits):
        context.edits[statement.value] = [e for e in edits if not isinstance(e, Drop)]
        context.edit(statement, Drop())
    elif any(
        isinstance(edit, Replace) and edit.template.strip("{}").isidentifier() for edit in edits
    ):
        context.edit(statement, Drop())
