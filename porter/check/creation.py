"""Write what NumPy makes for a tensor as calls of mindspore.ops, with the same shape and dtype."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from porter.check.rule import Context, Fix
from porter.plan.edits import Replace, Value

DTYPES = {
    "float16": "float16",
    "float32": "float32",
    "float64": "float64",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "int_": "int64",
    "uint8": "uint8",
    "bool_": "bool_",
    "bool": "bool_",
    "float": "float64",
    "int": "int64",
}
FLOAT64 = "ms.float64"
Handler = Callable[[Context, ast.Call], "Written | None"]


@dataclass(frozen=True, slots=True)
class Written:
    """A template of an ops call; `{dtype}` stands for the dtype where the call takes one.

    `own` is the dtype that NumPy gives; `drawn` is the dtype of a call that takes none.
    """

    template: str
    values: dict[str, Value]
    own: str | None
    drawn: str | None = None


def first_argument(node: ast.Call, name: str) -> ast.expr | None:
    """Return the first argument, given by position or by name."""
    if node.args:
        return None if isinstance(node.args[0], ast.Starred) else node.args[0]
    return keyword(node, name)


def keyword(node: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument."""
    return next((item.value for item in node.keywords if item.arg == name), None)


def replacement(context: Context, node: ast.Call, data: ast.expr) -> Fix | None:
    """Return the change of `Tensor(np.ones(shape), dtype)` to `ops.ones(shape, dtype)`.

    None where the dtype is not known, or NumPy makes something that no row here describes.
    """
    others = {item.arg for item in node.keywords} - {"input_data", "dtype"}
    if others or len(node.args) > 2:
        return None
    wanted = node.args[1] if len(node.args) == 2 else keyword(node, "dtype")
    cast: str | None = None
    if (
        isinstance(data, ast.Call)
        and isinstance(data.func, ast.Attribute)
        and data.func.attr == "astype"
        and len(data.args) == 1
    ):
        cast = numpy_dtype(context, data.args[0])
        if cast is None:
            return None
        data = data.func.value
    if not isinstance(data, ast.Call):
        return None
    written = _written(context, data)
    if written is None:
        return None
    values = dict(written.values)
    dtype = cast or written.own
    if wanted is not None:
        values["dtype"] = wanted
        dtype = "{dtype}"
    if dtype is None:
        return None
    template = written.template.replace("{dtype}", dtype)
    if written.drawn is not None and dtype != written.drawn:
        template = f"{template}.astype({dtype})"
    text, needs = context.spelled(template)
    return Fix(((node, Replace(text, values)),), needs)


def wrapped_value(context: Context, node: ast.Call, data: ast.expr) -> Fix | None:
    """Return the change of `Tensor(value)` of a value that the graph has already."""
    if {item.arg for item in node.keywords} - {"input_data", "dtype"} or len(node.args) > 2:
        return None
    dtype = node.args[1] if len(node.args) == 2 else keyword(node, "dtype")
    values: dict[str, Value] = {"x": data}
    if dtype is not None:
        values["dtype"] = dtype
    kind = context.kind(data)
    if kind == "dim" and dtype is not None:
        template = "ops.scalar_to_tensor({x}, {dtype})"
    elif kind == "tensor":
        template = "{x}" if dtype is None else "{x}.astype({dtype})"
    elif (
        isinstance(data, ast.List)
        and data.elts
        and all(context.kind(item) == "tensor" for item in data.elts)
    ):
        template = "ops.stack({x})" if dtype is None else "ops.stack({x}).astype({dtype})"
    else:
        return None
    text, needs = context.spelled(template)
    return Fix(((node, Replace(text, values)),), needs)


def numpy_dtype(context: Context, node: ast.expr | None) -> str | None:
    """Return the MindSpore spelling of a NumPy dtype."""
    if node is None:
        return None
    name = context.qualified(node)
    if name is not None:
        name = name.removeprefix("numpy.") if name.startswith("numpy.") else None
    elif isinstance(node, ast.Name):
        name = node.id if node.id in ("float", "int", "bool") else None
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = node.value
    return f"ms.{DTYPES[name]}" if name in DTYPES else None


def _written(context: Context, call: ast.Call) -> Written | None:
    """Return the ops call that makes what a NumPy call makes."""
    name = (context.qualified(call.func) or "").removeprefix("numpy.")
    if any(isinstance(item, ast.Starred) for item in call.args) and name != "random.randn":
        return None
    if any(item.arg is None for item in call.keywords):
        return None
    handler = HANDLERS.get(name)
    return handler(context, call) if handler is not None else None


def _dtype_given(context: Context, call: ast.Call, position: int) -> tuple[bool, str | None]:
    """Return whether a NumPy call names a dtype, and which."""
    node = call.args[position] if len(call.args) > position else keyword(call, "dtype")
    return node is not None, numpy_dtype(context, node)


def _only(call: ast.Call, positions: int, *names: str) -> bool:
    return len(call.args) <= positions and {item.arg for item in call.keywords} <= set(names)


def _filled(target: str) -> Handler:
    def handler(context: Context, call: ast.Call) -> Written | None:
        shape = first_argument(call, "shape")
        if shape is None or not _only(call, 2, "shape", "dtype"):
            return None
        given, dtype = _dtype_given(context, call, 1)
        own = dtype if given else FLOAT64
        return Written(f"ops.{target}({{shape}}, {{dtype}})", {"shape": shape}, own)

    return handler


def _full(context: Context, call: ast.Call) -> Written | None:
    shape = first_argument(call, "shape")
    value = call.args[1] if len(call.args) > 1 else keyword(call, "fill_value")
    if shape is None or value is None or not _only(call, 3, "shape", "fill_value", "dtype"):
        return None
    given, dtype = _dtype_given(context, call, 2)
    own = dtype if given else _number_dtype([value])
    return Written(
        "ops.full({shape}, {value}, dtype={dtype})", {"shape": shape, "value": value}, own
    )


def _number_dtype(nodes: list[ast.expr], sizes: Context | None = None) -> str | None:
    """Return the dtype that NumPy gives to Python numbers; sizes of tensors are integers."""
    found = set()
    for node in nodes:
        inner = node.operand if isinstance(node, ast.UnaryOp) else node
        if isinstance(inner, ast.Constant) and isinstance(inner.value, bool):
            found.add("ms.bool_")
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, int):
            found.add("ms.int64")
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, float):
            return FLOAT64
        elif sizes is not None and sizes.kind(inner) == "dim" and not _divides(inner):
            found.add("ms.int64")
        else:
            return None
    return found.pop() if len(found) == 1 else None


def _divides(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Div | ast.Call | ast.Pow) for part in ast.walk(node))


def _arange(context: Context, call: ast.Call) -> Written | None:
    if not call.args or not _only(call, 3, "dtype"):
        return None
    given, dtype = _dtype_given(context, call, 4)
    own = dtype if given else _number_dtype(call.args, context)
    names = [f"{{v{i}}}" for i in range(len(call.args))]
    values: dict[str, Value] = {f"v{i}": item for i, item in enumerate(call.args)}
    return Written(f"ops.arange({', '.join(names)}, dtype={{dtype}})", values, own)


def _eye(context: Context, call: ast.Call) -> Written | None:
    if not call.args or not _only(call, 2, "dtype"):
        return None
    given, dtype = _dtype_given(context, call, 4)
    values: dict[str, Value] = {"n": call.args[0], "m": call.args[-1]}
    template = "ops.eye({n}, {m}, {dtype})"
    return Written(template, values, dtype if given else FLOAT64)


def _standard_normal(_context: Context, call: ast.Call) -> Written | None:
    if not call.args or call.keywords:
        return None
    return Written(
        "ops.standard_normal({shape})", {"shape": tuple(call.args)}, FLOAT64, "ms.float32"
    )


def _scaled(call: ast.Call, template: str, names: tuple[str, str]) -> Written | None:
    """Write a draw with two parameters and a size; those that are missing have defaults."""
    if not _only(call, 3, *names, "size"):
        return None
    size = call.args[2] if len(call.args) > 2 else keyword(call, "size")
    if size is None:
        return None
    low = call.args[0] if call.args else keyword(call, names[0])
    high = call.args[1] if len(call.args) > 1 else keyword(call, names[1])
    if low is None and high is None:
        draw = "ops.standard_normal({size})" if names[0] == "loc" else "ops.rand(*{size})"
        return Written(draw, {"size": size}, FLOAT64, "ms.float32")
    if low is None or high is None:
        return None
    values: dict[str, Value] = {"size": size, "low": low, "high": high}
    return Written(template, values, FLOAT64, "ms.float32")


def _normal(_context: Context, call: ast.Call) -> Written | None:
    template = "(ops.standard_normal({size}) * {high} + {low})"
    return _scaled(call, template, ("loc", "scale"))


def _uniform(_context: Context, call: ast.Call) -> Written | None:
    template = "(ops.rand(*{size}) * ({high} - {low}) + {low})"
    return _scaled(call, template, ("low", "high"))


def _randint(_context: Context, call: ast.Call) -> Written | None:
    size = call.args[2] if len(call.args) > 2 else keyword(call, "size")
    if len(call.args) < 2 or size is None or not _only(call, 3, "size"):
        return None
    values: dict[str, Value] = {"low": call.args[0], "high": call.args[1], "size": size}
    return Written("ops.randint({low}, {high}, {size})", values, "ms.int64", "ms.int64")


def _of_tensors(template: str, count: int) -> Handler:
    """Write a call whose arguments are tensors; the dtype stays theirs."""

    def handler(context: Context, call: ast.Call) -> Written | None:
        if len(call.args) != count or call.keywords:
            return None
        first = call.args[0]
        parts = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
        if not all(context.kind(part) in ("tensor", "maybe") for part in parts):
            return None
        values: dict[str, Value] = {f"v{i}": item for i, item in enumerate(call.args)}
        return Written(template, values, "", "")

    return handler


HANDLERS: dict[str, Handler] = {
    "ones": _filled("ones"),
    "zeros": _filled("zeros"),
    "empty": _filled("zeros"),
    "full": _full,
    "arange": _arange,
    "eye": _eye,
    "random.randn": _standard_normal,
    "random.normal": _normal,
    "random.uniform": _uniform,
    "random.randint": _randint,
    "concatenate": _of_tensors("ops.cat({v0}, {v1})", 2),
    "reshape": _of_tensors("ops.reshape({v0}, {v1})", 2),
    "where": _of_tensors("ops.where({v0}, {v1}, {v2})", 3),
}
