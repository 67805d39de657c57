"""Work out the kind of one expression from the kinds of its parts."""

from __future__ import annotations

import ast

from porter.check import kinds as k
from porter.check.graph import GraphFunction
from porter.source.program import FunctionInfo

CONSTANTS = {str: k.STR, type(None): k.NONE}
ATTRIBUTES = {
    "shape": k.SHAPE,
    "dtype": k.DTYPE,
    "ndim": k.CONST,
    "size": k.DIM,
    "itemsize": k.CONST,
    "training": k.CONST,
}
BUILTINS = {"len": k.CONST, "isinstance": k.CONST, "hasattr": k.CONST, "str": k.STR, "dict": k.DICT}
NUMERIC = ("int", "float", "bool", "max", "min", "abs", "round", "sum", "pow", "divmod")


def infer_expression(walk: k.Walk, node: ast.expr) -> str:
    """Return the kind of an expression."""
    match node:
        case ast.Constant():
            return CONSTANTS.get(type(node.value), k.CONST)
        case ast.Name():
            return walk.env.get(node.id, k.UNKNOWN)
        case ast.Attribute():
            return _attribute(walk, node)
        case ast.Call():
            return _call(walk, node)
        case ast.Subscript():
            return _subscript(walk, node)
        case ast.BinOp():
            return _binary(walk.infer(node.left), walk.infer(node.right))
        case ast.UnaryOp():
            return walk.infer(node.operand)
        case ast.BoolOp():
            return k.strongest([walk.infer(item) for item in node.values])
        case ast.Compare():
            return _compare(walk, node)
        case ast.IfExp():
            walk.infer(node.test)
            return k.strongest((walk.infer(node.body), walk.infer(node.orelse)))
        case ast.Tuple() | ast.List():
            return _display(walk, node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return _comprehension(walk, node)
        case ast.Dict():
            for item in [*node.keys, *node.values]:
                if item is not None:
                    walk.infer(item)
            return k.DICT
        case ast.JoinedStr():
            for part in node.values:
                walk.infer(part)
            return k.STR
        case ast.Lambda():
            outer = dict(walk.env)
            for argument in node.args.args:
                walk.env[argument.arg] = k.UNKNOWN
            walk.infer(node.body)
            walk.env = outer
            return k.UNKNOWN
        case ast.NamedExpr():
            kind = walk.infer(node.value)
            walk.assign(node.target, kind, node.value)
            return kind
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            walk.infer(child)
    return k.UNKNOWN


def _attribute(walk: k.Walk, node: ast.Attribute) -> str:
    owner = walk.function.info.owner
    if isinstance(node.value, ast.Name) and node.value.id == "self" and owner is not None:
        kind = walk.env.get(f"self.{node.attr}", k.UNKNOWN)
        if kind == k.UNKNOWN:
            kind = walk.kinds.attribute(owner.qualified, node.attr)
        return ATTRIBUTES.get(node.attr, k.UNKNOWN) if kind == k.UNKNOWN else kind
    qualified = walk.function.names.qualified(node, walk.function.scope)
    if qualified is not None:
        if qualified.startswith("numpy.") and not qualified.split(".")[-1][0].isupper():
            return k.FIXED_ARRAY if qualified.split(".")[-1] not in NUMPY_NUMBERS else k.CONST
        return k.CONST if qualified.startswith("math.") else k.UNKNOWN
    value = walk.infer(node.value)
    if value in (k.ARRAY, k.FIXED_ARRAY):
        return k.DTYPE if node.attr == "dtype" else value
    if value in (*k.TENSORS, k.UNKNOWN):
        kind = ATTRIBUTES.get(node.attr, k.UNKNOWN)
        if (
            kind == k.UNKNOWN
            and value == k.TENSOR
            and node.attr in ("T", "mT", "H", "real", "imag")
        ):
            return k.TENSOR
        if node.attr == "size" and value == k.UNKNOWN:
            return k.UNKNOWN
        return kind
    return k.UNKNOWN


NUMPY_NUMBERS = ("inf", "pi", "e", "nan", "newaxis")


def _call(walk: k.Walk, node: ast.Call) -> str:
    arguments = [walk.infer(item) for item in node.args]
    keywords = {item.arg: walk.infer(item.value) for item in node.keywords}
    names, scope = walk.function.names, walk.function.scope
    callee = walk.callee(node.func)
    if callee is not None:
        walk.infer(node.func)
        return _project_call(walk, callee, node, arguments, keywords)
    qualified = names.qualified(node.func, scope)
    if qualified is not None:
        return _imported_call(walk, node, qualified)
    if isinstance(node.func, ast.Name):
        return _builtin(walk, node.func.id, arguments)
    if isinstance(node.func, ast.Attribute):
        return _method(walk, node.func, len(node.args) + len(node.keywords))
    walk.infer(node.func)
    # `ops.Transpose()(x, ...)`: a primitive that is made where it is called
    return k.TENSOR if walk.kinds.kind(node.func) == k.CELL else k.UNKNOWN


def _project_call(
    walk: k.Walk,
    callee: FunctionInfo,
    node: ast.Call,
    arguments: list[str],
    keywords: dict[str | None, str],
) -> str:
    """Pass the kinds of the arguments to a function of the project; return that of its result."""
    parameters = [item.arg for item in [*callee.node.args.posonlyargs, *callee.node.args.args]]
    if parameters and callee.owner is not None and parameters[0] in ("self", "cls"):
        parameters = parameters[1:]
    given = walk.kinds.arguments.setdefault(callee.node, {})
    if not any(isinstance(item, ast.Starred) for item in node.args):
        for name, kind in zip(parameters, arguments, strict=False):
            given.setdefault(name, []).append(kind)
    for keyword, kind in keywords.items():
        if keyword is not None:
            given.setdefault(keyword, []).append(kind)
    known = walk.kinds.graph.functions.get(callee.node)
    return walk.kinds.run(known) if isinstance(known, GraphFunction) else k.UNKNOWN


def _imported_call(walk: k.Walk, node: ast.Call, qualified: str) -> str:
    name = qualified.rpartition(".")[2]
    walk.kinds.of[node.func] = k.UNKNOWN
    if qualified in k.TENSOR_CLASSES:
        return k.TENSOR
    if qualified.startswith("numpy."):
        parts = [*node.args, *(item.value for item in node.keywords)]
        return k.ARRAY if any(walk.kinds.changing(item) for item in parts) else k.FIXED_ARRAY
    if qualified.startswith("math."):
        return k.DIM if any(walk.kinds.changing(item) for item in node.args) else k.CONST
    if qualified.startswith("mindspore.nn.") and name[:1].isupper():
        return k.CELL
    if qualified.startswith(k.TENSOR_PLACES) and ".distributed." not in qualified:
        if name[:1].isupper():
            return k.CELL
        if name.startswith(k.NO_TENSOR_PREFIXES):
            return k.UNKNOWN
        return k.NOT_TENSORS.get(name, k.TUPLE if name in k.SEVERAL else k.TENSOR)
    return k.UNKNOWN


def _builtin(walk: k.Walk, name: str, arguments: list[str]) -> str:
    own = walk.env.get(name, k.UNKNOWN)
    if own == k.CELL:
        return k.MAYBE
    if name == "len" and arguments and arguments[0] == k.TENSOR:
        return k.DIM
    if name in BUILTINS:
        return BUILTINS[name]
    if name in ("list", "tuple", "sorted"):
        return k.LIST if not arguments or arguments[0] in k.TENSORS else arguments[0]
    if name in NUMERIC and arguments:
        kind = k.strongest(arguments)
        if name in ("int", "float", "bool") and kind in k.TENSORS:
            return k.CONST
        return {k.LIST: k.UNKNOWN, k.TUPLE: k.TENSOR}.get(kind, kind)
    return k.UNKNOWN


def _method(walk: k.Walk, node: ast.Attribute, given: int) -> str:
    """Return the kind of what `value.name(...)` gives."""
    value = walk.infer(node.value)
    if value in (k.ARRAY, k.FIXED_ARRAY):
        return value
    if value == k.STR:
        return k.STR if node.attr in k.TEXT_METHODS else k.UNKNOWN
    if value in k.TENSORS:
        if node.attr in k.HOST_METHODS:
            return k.HOST_METHODS[node.attr]
        if node.attr == "size":
            return k.DIM if given else k.SHAPE
        if node.attr in ("max", "min") and not given:
            return value
        if node.attr in k.SEVERAL:
            return k.UNKNOWN if node.attr in ("max", "min") else k.TUPLE
        return value
    if node.attr == "asnumpy":
        return k.ARRAY
    own = walk.kinds.kind(node)
    if own == k.UNKNOWN and isinstance(node.value, ast.Name) and node.value.id == "self":
        own = _attribute(walk, node)
    if own == k.SHAPE_CELL:
        return k.SHAPE
    return k.MAYBE if own == k.CELL else k.UNKNOWN


def _subscript(walk: k.Walk, node: ast.Subscript) -> str:
    value = walk.infer(node.value)
    walk.infer(node.slice)
    if value == k.SHAPE:
        return k.SHAPE if isinstance(node.slice, ast.Slice) else k.DIM
    if value in (*k.TENSORS, k.ARRAY, k.FIXED_ARRAY):
        return value
    if value in (k.TUPLE, k.LIST, k.CELLS):
        if isinstance(node.slice, ast.Slice):
            return value
        return {k.TUPLE: k.TENSOR, k.CELLS: k.CELL}.get(value, k.UNKNOWN)
    return k.UNKNOWN


def _binary(left: str, right: str) -> str:
    if k.STR in (left, right):
        return k.STR
    if left in k.TENSORS or right in k.TENSORS:
        return k.TENSOR if k.TENSOR in (left, right) else k.MAYBE
    for kind in (k.ARRAY, k.SHAPE):
        if kind in (left, right):
            return kind
    if k.FIXED_ARRAY in (left, right):
        return k.ARRAY if k.DIM in (left, right) else k.FIXED_ARRAY
    if k.LIST in (left, right):
        return k.LIST
    if k.DIM in (left, right):
        return k.DIM
    return k.CONST if left == right == k.CONST else k.UNKNOWN


def _compare(walk: k.Walk, node: ast.Compare) -> str:
    kinds = [walk.infer(node.left), *(walk.infer(item) for item in node.comparators)]
    if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
        return k.CONST
    if k.TENSOR in kinds:
        return k.TENSOR
    if k.NONE in kinds or k.STR in kinds or k.DTYPE in kinds:
        return k.CONST
    return k.MAYBE if k.MAYBE in kinds else k.CONST


def _display(walk: k.Walk, node: ast.Tuple | ast.List) -> str:
    kinds = [
        walk.infer(item.value if isinstance(item, ast.Starred) else item) for item in node.elts
    ]
    for item in node.elts:
        if isinstance(item, ast.Starred):
            walk.kinds.of[item] = walk.kinds.kind(item.value)
    if any(kind in (k.DIM, k.SHAPE) for kind in kinds):
        return k.SHAPE
    if isinstance(node, ast.Tuple) and kinds and all(kind == k.TENSOR for kind in kinds):
        return k.TUPLE
    if kinds and all(kind in (k.CONST, k.STR) for kind in kinds):
        return k.CONST if isinstance(node, ast.Tuple) else k.LIST
    return k.LIST if isinstance(node, ast.List) else k.UNKNOWN


def _comprehension(walk: k.Walk, node: ast.expr) -> str:
    outer = dict(walk.env)
    for generator in getattr(node, "generators", []):
        iterated = walk.infer(generator.iter)
        walk.assign(generator.target, walk.element(generator.iter, iterated), None)
        for test in generator.ifs:
            walk.infer(test)
    for field in ("elt", "key", "value"):
        part = getattr(node, field, None)
        if part is not None:
            walk.infer(part)
    walk.env = outer
    return k.DICT if isinstance(node, ast.DictComp) else k.LIST
