"""Plan calls of classes that make tensors, and of modules by keyword."""

from __future__ import annotations

import ast
from functools import lru_cache

from porter.mapping.schema import Entry
from porter.plan.context import PlanContext
from porter.plan.edits import Replace, Value
from porter.plan.entries import refuse
from porter.runtime_files import home, runtime_module
from porter.source.program import MODULE_ROOTS

TENSOR_CLASSES = {
    "torch.Tensor": "float32",
    "torch.FloatTensor": "float32",
    "torch.DoubleTensor": "float64",
    "torch.HalfTensor": "float16",
    "torch.BFloat16Tensor": "bfloat16",
    "torch.ByteTensor": "uint8",
    "torch.CharTensor": "int8",
    "torch.ShortTensor": "int16",
    "torch.IntTensor": "int32",
    "torch.LongTensor": "int64",
    "torch.BoolTensor": "bool_",
}
"""Classes whose call makes a tensor of one dtype: of values, or of a shape given as numbers."""


def plan_tensor(context: PlanContext, call: ast.Call, dtype: str) -> bool:
    """Plan `torch.FloatTensor([1, 2])` and `torch.FloatTensor(2, 3)`; returns whether it is done.

    One argument of which nothing is known is asked when the port runs.
    """
    kinds = [context.inference.kind(argument).name for argument in call.args]
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        refuse(context, call, "PRT104", "what the tensor is made of is not in the text", None)
        return True
    values: dict[str, Value] = {f"size_{i}": item for i, item in enumerate(call.args)}
    if kinds == ["shape"]:
        template = f"ops.zeros({{size_0}}, ms.{dtype})"
    elif all(kind == "int" for kind in kinds):
        sizes = ", ".join(f"{{{name}}}" for name in values)
        template = f"ops.zeros(({sizes}{',' if len(values) == 1 else ''}), ms.{dtype})"
        template = template if values else f"ops.zeros((0,), ms.{dtype})"
    elif len(kinds) > 1 and set(kinds).isdisjoint(("tensor", "array", "list", "tuple", "float")):
        sizes = ", ".join(f"{{{name}}}" for name in values)
        template = f"ops.zeros(({sizes}), ms.{dtype})"
    elif len(kinds) > 1:
        refuse(context, call, "PRT108", "the sizes of the tensor are no numbers", None)
        return True
    elif kinds == ["tensor"]:
        template = f"{{size_0}}.astype(ms.{dtype})"
    elif kinds[0] in ("list", "tuple", "array"):
        template = f"ms.tensor({{size_0}}, dtype=ms.{dtype})"
    else:
        template = f"runtime.creation.tensor_of({{size_0}}, ms.{dtype})"
    context.edit(call, Replace(context.written(template), values))
    context.site(call)
    return True


def plan_scalar(context: PlanContext, call: ast.Call, name: str) -> bool:
    """Plan `torch.tensor(x.shape[-1], dtype=...)` inside a graph, where sizes may be open.

    `ms.tensor` wants a constant; `ops.full` takes a size that is known when the graph runs.
    """
    if not context.in_graph or name not in ("torch.tensor", "torch.as_tensor"):
        return False
    keywords = {item.arg: item.value for item in call.keywords}
    given = [*call.args, *(keywords.pop(key) for key in ("data",) if key in keywords)]
    kind = context.inference.kind(given[0]).name if len(given) == 1 else ""
    if not keywords.keys() <= {"dtype", "device"} or kind not in ("int", "float"):
        return False
    if isinstance(given[0], ast.Constant | ast.UnaryOp) or _is_builtin_call(given[0]):
        return False
    values: dict[str, Value] = {"value": given[0]}
    dtype = "ms.int64" if kind == "int" else "ms.float32"
    if "dtype" in keywords:
        values["dtype"] = keywords["dtype"]
        dtype = "{dtype}"
    if "device" in keywords:
        context.vanished.update(ast.walk(keywords["device"]))
    context.edit(call, Replace(context.written(f"ops.full((), {{value}}, dtype={dtype})"), values))
    context.site(call)
    return True


def _is_builtin_call(node: ast.expr) -> bool:
    """Tell whether a value is `float("inf")` or the like, a constant in all but form."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def plan_type(context: PlanContext, call: ast.Call, func: ast.Attribute) -> bool:
    """Plan `x.type(torch.LongTensor)` and `x.type("torch.LongTensor")`: a class or its name."""
    given = [*call.args[:1], *(item.value for item in call.keywords if item.arg == "dtype")]
    if func.attr != "type" or len(given) != 1:
        return False
    name = context.names.qualified(given[0], context.here) or ""
    if isinstance(given[0], ast.Constant) and isinstance(given[0].value, str):
        name = given[0].value
    if name not in TENSOR_CLASSES or name == "torch.Tensor":
        return False
    template = context.written(f"{{self}}.astype(ms.{TENSOR_CLASSES[name]})")
    context.edit(call, Replace(template, {"self": func.value}))
    context.vanished.update(ast.walk(given[0]))
    context.site(call)
    return True


@lru_cache(maxsize=64)
def construct_parameters(target: str) -> frozenset[str]:
    """Return the names that `construct` of a Cell of the runtime takes; none of any other Cell."""
    definition = _defined_in_runtime(target)
    if not isinstance(definition, ast.ClassDef):
        return frozenset()
    found = [part for part in definition.body if isinstance(part, ast.FunctionDef)]
    return frozenset(
        argument.arg
        for part in found
        if part.name == "construct"
        for argument in (*part.args.args, *part.args.kwonlyargs)
    )


def takes_all_arguments(entry: Entry) -> str | None:
    """Return the target of a function of torch that takes whatever torch's takes, else None.

    It is a function of the runtime with the same parameters in the same order.
    """
    if len(entry.overloads) != 1 or entry.kind != "function":
        return None
    overload = entry.overloads[0]
    signature, target = overload.signature, overload.target
    changed = overload.rename or overload.defaults or overload.coerce or overload.only
    if signature is None or target is None or changed or overload.ignore or overload.reject:
        return None
    definition = _defined_in_runtime(target)
    if not isinstance(definition, ast.FunctionDef) or definition.args.vararg is not None:
        return None
    own = [item.arg for item in definition.args.args]
    named = {item.arg for item in definition.args.kwonlyargs}
    parameters = signature.parameters
    if own != [item.name for item in parameters if not item.keyword_only]:
        return None
    return target if named == {item.name for item in parameters if item.keyword_only} else None


@lru_cache(maxsize=128)
def _defined_in_runtime(target: str) -> ast.stmt | None:
    module, _, name = target.removeprefix("runtime.").rpartition(".")
    if not target.startswith("runtime.") or not module:
        return None
    for node in ast.parse(runtime_module(home(module, name)).text).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return node
    return None


def plan_keyword_call(context: PlanContext, call: ast.Call) -> None:
    """Plan `block(x=x, y=y)` where the block takes `*args`: the compiler wants them by position.

    Which block is meant need not be known: all that take these keywords have them in one order.
    """
    names = {str(keyword.arg) for keyword in call.keywords if keyword.arg is not None}
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if not context.in_graph or starred or not names or len(names) < len(call.keywords):
        return
    if context.program.reference(call.func, context.here, context.names) is not None:
        return
    kind = context.inference.kind(call.func)
    known = context.program.find_method(kind.cls, "forward") if kind.cls else None
    candidates = [known.node] if known else _taking(context, names, len(call.args))
    if not any(forward.args.vararg is not None for forward in candidates):
        return
    ordered: list[str] = []
    while True:
        heads = _following(candidates, names, len(call.args) + len(ordered))
        if len(heads) != 1 or not heads <= names:
            break
        ordered += heads
    if not ordered:
        return
    values: dict[str, Value] = {"callee": call.func}
    values |= {f"value_{i}": item for i, item in enumerate(call.args)}
    values |= {str(keyword.arg): keyword.value for keyword in call.keywords}
    given = [f"{{value_{i}}}" for i in range(len(call.args))] + [f"{{{name}}}" for name in ordered]
    given += [f"{k.arg}={{{k.arg}}}" for k in call.keywords if k.arg not in ordered]
    context.edit(call, Replace(f"{{callee}}({', '.join(given)})", values))
    context.site(call)


def _taking(
    context: PlanContext, names: set[str], count: int
) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the `forward` methods that take a number of arguments and these keywords."""
    found = []
    for info in context.program.classes.values():
        forward = info.methods.get("forward")
        if forward is None or not context.program.is_module(info.qualified):
            continue
        arguments = forward.args
        taken = {item.arg for item in (*arguments.args[1 + count :], *arguments.kwonlyargs)}
        if names <= taken or (arguments.kwarg is not None and len(arguments.args) > count):
            found.append(forward)
    return found


def _following(
    candidates: list[ast.FunctionDef | ast.AsyncFunctionDef], names: set[str], place: int
) -> set[str]:
    """Return the parameters at a place, without those that a call of these names cannot mean."""
    heads = set()
    for forward in candidates:
        parameters = forward.args.args[1:]
        if place >= len(parameters):
            continue
        required = place < len(parameters) - len(forward.args.defaults)
        if parameters[place].arg in names or not required:
            heads.add(parameters[place].arg)
    return heads


def plan_module_call(context: PlanContext, call: ast.Call) -> bool:
    """Plan `layer(input=x)`: a Cell of MindSpore calls its argument otherwise."""
    kind = context.inference.kind(call.func)
    entry = context.program.mapping.find(kind.cls) if kind.cls else None
    if (
        kind.name not in ("module", "modules")
        or entry is None
        or kind.cls in context.program.classes
        or kind.cls in MODULE_ROOTS
        or not call.keywords
    ):
        return False
    names = {keyword.arg for keyword in call.keywords}
    if names <= construct_parameters(entry.target or ""):
        return False
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    places = ("input", "target")[len(call.args) : len(call.args) + len(given)]
    if set(places) == names and not any(isinstance(item, ast.Starred) for item in call.args):
        ordered = [*call.args, *(given[name] for name in places)]
        values: dict[str, Value] = {f"value_{i}": item for i, item in enumerate(ordered)}
        written = ", ".join(f"{{{name}}}" for name in values)
        context.edit(call, Replace(f"{{cell}}({written})", {"cell": call.func, **values}))
        context.site(call)
        return False
    first = call.keywords[0]
    message = f"a Cell of {entry.name} takes no argument {first.arg!r} by name"
    refuse(context, call, "PRT103", message, entry)
    return False
