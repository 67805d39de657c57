"""Work out what the values of a compiled function are: tensors, NumPy arrays, sizes, constants.

The walk follows the order of execution and the calls between functions of the project. Kinds only
decide whether a rule speaks, so that what is not known stays `unknown`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable

from porter.check.attributes import attribute_classes, attribute_kinds
from porter.check.graph import Graph, GraphFunction
from porter.check.narrowing import leaves, narrowed, objects
from porter.check.project import Project
from porter.source.names import dotted
from porter.source.program import ClassInfo, FunctionInfo

TENSOR = "tensor"
MAYBE = "maybe"  # a parameter that nothing describes: most likely a tensor
ARRAY = "array"  # a NumPy value that depends on a size or a tensor
FIXED_ARRAY = "fixed array"  # a NumPy value that is the same for every call
DIM = "dim"  # a number that depends on the shape of a tensor
SHAPE = "shape"
CONST = "const"
STR = "str"
LIST = "list"
DICT = "dict"
NONE = "none"
DTYPE = "dtype"
CELL = "cell"
SHAPE_CELL = "shape cell"  # the operator that gives a shape
CELLS = "cells"
TUPLE = "tuple"  # several tensors
UNKNOWN = "unknown"

TENSORS = (TENSOR, MAYBE)
CHANGING = (TENSOR, MAYBE, ARRAY, DIM, SHAPE, TUPLE)
SETTLED = (DTYPE, CONST, STR, NONE, CELL, CELLS, FIXED_ARRAY)
ORDER = (TENSOR, ARRAY, TUPLE, MAYBE, SHAPE, DIM, LIST, DICT, CELLS, CELL, STR, FIXED_ARRAY)

TENSOR_PLACES = ("mindspore.ops.", "mindspore.mint.", "mindspore.numpy.")
NOT_TENSORS = {
    "shape": SHAPE,
    "dyn_shape": TENSOR,
    "rank": CONST,
    "size": DIM,
    "dtype": DTYPE,
    "is_tensor": CONST,
    "is_floating_point": CONST,
}
NO_TENSOR_PREFIXES = ("tuple_", "list_", "dict_", "scalar_", "make_", "is_", "partial", "grad")
SEVERAL = frozenset(
    [
        "split",
        "chunk",
        "unbind",
        "unstack",
        "topk",
        "sort",
        "max",
        "min",
        "meshgrid",
        "tensor_split",
        "aminmax",
        "broadcast_tensors",
        "unique",
        "svd",
        "qr",
        "frac_mode",
        "cummax",
        "cummin",
    ]
)
TENSOR_CLASSES = frozenset(
    f"mindspore.{name}"
    for name in (
        "Tensor",
        "tensor",
        "Parameter",
        "common.tensor.Tensor",
        "common.Tensor",
        "common.Parameter",
        "common.parameter.Parameter",
        "Tensor.from_numpy",
    )
)
SCALAR_NAMES = ("int", "float", "bool", "complex")
TEXT_METHODS = frozenset(["format", "join", "lower", "upper", "strip", "replace"])
HOST_METHODS = {"asnumpy": ARRAY, "numpy": ARRAY, "tolist": LIST, "item": CONST, "dim": CONST}
HOST_METHODS |= {"ndimension": CONST, "numel": DIM, "itemset": NONE, "new_tensor": TENSOR}


def strongest(kinds: Iterable[str]) -> str:
    """Return the kind that matters most to the graph among those a value may have."""
    found = set(kinds)
    if len(found) == 1:
        return found.pop()
    return next((kind for kind in ORDER if kind in found), CONST if CONST in found else UNKNOWN)


class Kinds:
    """Kinds of all expressions of a graph's functions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.project = graph.project
        self.of: dict[ast.AST, str] = {}
        self.arguments: dict[ast.AST, dict[str, list[str]]] = {}
        self.returned: dict[ast.AST, str] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.attribute_classes: dict[str, dict[str, str]] = {}
        self._own: dict[tuple[object, ast.ClassDef], dict[str, str]] = {}
        for function in list(graph.functions.values()):
            if function.role in ("construct", "jit"):
                self.run(function)
        for function in list(graph.functions.values()):
            if function.node not in self.returned:
                self.run(function)

    def kind(self, node: ast.AST | None) -> str:
        """Return the kind of an expression."""
        return UNKNOWN if node is None else self.of.get(node, UNKNOWN)

    def changing(self, node: ast.AST) -> bool:
        """Tell whether anything in an expression depends on a tensor or on a size of one."""
        kind = self.of.get(node)
        if kind in CHANGING:
            return True
        # What is asked of a tensor may be the same for all tensors: x.dtype, len(x.shape).
        if kind in SETTLED and isinstance(node, ast.Attribute | ast.Call | ast.Compare):
            return False
        return any(self.changing(child) for child in ast.iter_child_nodes(node))

    def run(self, function: GraphFunction) -> str:
        """Walk a function once, and return the kind of what it returns."""
        node = function.node
        if node not in self.returned:
            self.returned[node] = UNKNOWN
            walk = Walk(self, function)
            walk.body(node.body)
            self.returned[node] = strongest(walk.results) if walk.results else NONE
        return self.returned[node]

    def attribute_class(self, owner: str, name: str) -> str | None:
        """Return the class of the project whose object `self.name` is."""
        return self._inherited(self.attribute_classes, attribute_classes, owner).get(name)

    @functools.cached_property
    def held(self) -> frozenset[str]:
        """The classes of the project whose objects are attributes of its Cells."""
        found: set[str] = set()
        for cell in self.graph.cells:
            self.attribute_class(cell, "")
            found.update(self.attribute_classes[cell].values())
        return frozenset(found)

    def attribute(self, owner: str, name: str) -> str:
        """Return the kind of `self.name`."""
        return self._inherited(self.attributes, attribute_kinds, owner).get(name, UNKNOWN)

    def _inherited(
        self,
        known: dict[str, dict[str, str]],
        read: Callable[[ClassInfo, Project], dict[str, str]],
        owner: str,
    ) -> dict[str, str]:
        """Return what a class and its bases say of the attributes; each class is read once."""
        if owner not in known:
            found: dict[str, str] = {}
            for ancestor in reversed(self.project.ancestry(owner)):
                info = self.project.program.classes.get(ancestor)
                if info is not None:
                    key = (read, info.node)
                    if key not in self._own:
                        self._own[key] = read(info, self.project)
                    found.update(self._own[key])
            known[owner] = found
        return known[owner]


class Walk:
    """One walk through one function."""

    def __init__(self, kinds: Kinds, function: GraphFunction) -> None:
        self.kinds = kinds
        self.function = function
        self.env: dict[str, str] = {}
        self.results: list[str] = []
        self._bind_parameters()

    def _bind_parameters(self) -> None:
        arguments = self.function.node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
        defaults += arguments.defaults
        given = self.kinds.arguments.get(self.function.node, {})
        pairs = [
            *zip(plain, defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        entry = self.function.role in ("construct", "jit")
        for parameter, default in pairs:
            kind = _annotated(parameter.annotation)
            if kind == UNKNOWN and default is not None and not _is_none(default):
                kind = self.infer(default)
            if kind == UNKNOWN and parameter.arg in given:
                kind = strongest(given[parameter.arg])
            if kind == UNKNOWN and entry and parameter.arg != "self":
                kind = MAYBE
            self.env[parameter.arg] = kind
        if arguments.vararg is not None:
            self.env[arguments.vararg.arg] = UNKNOWN
        if arguments.kwarg is not None:
            self.env[arguments.kwarg.arg] = DICT

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign():
                kind = self.infer(node.value)
                for target in node.targets:
                    self.assign(target, kind, node.value)
            case ast.AnnAssign(value=value) if value is not None:
                self.assign(node.target, self.infer(value), value)
            case ast.AugAssign():
                kind = strongest((self.infer(node.target), self.infer(node.value)))
                self.assign(node.target, kind, None)
            case ast.Return():
                self.results.append(self.infer(node.value) if node.value is not None else NONE)
            case ast.If():
                self.infer(node.test)
                self.env.update(dict.fromkeys(objects(node.test), UNKNOWN))
                before = dict(self.env)
                self.env.update(narrowed(node.test, True))
                self.body(node.body)
                after, self.env = self.env, before
                self.env.update(narrowed(node.test, False))
                self.body(node.orelse)
                if leaves(node.orelse):
                    self.env = after
                elif not leaves(node.body):
                    self.env = _joined(after, self.env)
            case ast.For() | ast.AsyncFor():
                iterated = self.infer(node.iter)
                self.assign(node.target, self.element(node.iter, iterated), None)
                self.body(node.body)
                self.body(node.body)
                self.body(node.orelse)
            case ast.FunctionDef():
                inner = dict(self.env)
                for argument in node.args.args:
                    self.env[argument.arg] = UNKNOWN
                results, self.results = self.results, []
                self.body(node.body)
                self.env, self.results = inner, results
            case _:
                for field in ("items", "test", "exc", "cause", "msg", "value", "subject"):
                    self._infer_all(getattr(node, field, None))
                for field in ("body", "handlers", "orelse", "finalbody", "cases"):
                    for part in getattr(node, field, []):
                        self.body(part.body if not isinstance(part, ast.stmt) else [part])

    def _infer_all(self, value: object) -> None:
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.withitem):
                self.infer(item.context_expr)
            elif isinstance(item, ast.expr):
                self.infer(item)

    def assign(self, target: ast.expr, kind: str, value: ast.expr | None) -> None:
        self.kinds.of[target] = kind
        if isinstance(target, ast.Name):
            self.env[target.id] = kind
        elif isinstance(target, ast.Tuple | ast.List):
            items = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            plain = len(items) == len(target.elts)
            for position, item in enumerate(target.elts):
                inner = items[position] if plain else None
                own = self.kinds.kind(inner) if plain else _part(kind)
                if isinstance(item, ast.Starred):
                    item, own = item.value, kind
                self.assign(item, own, inner)
        else:
            self._infer_all(list(ast.iter_child_nodes(target)))

    def element(self, node: ast.expr, kind: str) -> str:
        """Return the kind of what a loop takes from a value."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                return DIM if self.kinds.changing(node) else CONST
            if node.func.id in ("zip", "enumerate", "reversed"):
                return UNKNOWN
        return _part(kind)

    def infer(self, node: ast.expr) -> str:
        """Return the kind of an expression and remember it for every part."""
        from porter.check.expression_kinds import infer_expression

        kind = infer_expression(self, node)
        self.kinds.of[node] = kind
        return kind

    def callee(self, node: ast.expr) -> FunctionInfo | None:
        """Return the function of the project that is called."""
        if isinstance(node, ast.Attribute):
            method = self.kinds.graph.own_method(node, self.function.info.owner)
            if method is not None:
                return method
        if dotted(node) is None:
            return None
        return self.kinds.graph.helper(node, self.function)


def _part(kind: str) -> str:
    """Return the kind of one part of a value."""
    if kind == SHAPE:
        return DIM
    if kind in (TENSOR, TUPLE):
        return TENSOR
    return {ARRAY: ARRAY, FIXED_ARRAY: FIXED_ARRAY, CONST: CONST, CELLS: CELL}.get(kind, UNKNOWN)


def _joined(left: dict[str, str], right: dict[str, str]) -> dict[str, str]:
    return left | {
        name: strongest((left[name], kind)) if name in left else kind
        for name, kind in right.items()
    }


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _annotated(node: ast.expr | None) -> str:
    """Return the kind that an annotation names."""
    if node is None:
        return UNKNOWN
    text = node.value if isinstance(node, ast.Constant) else ast.unparse(node)
    if not isinstance(text, str):
        return UNKNOWN
    words = set(
        text.replace("|", " ").replace("[", " ").replace("]", " ").replace(",", " ").split()
    )
    words = {word.rpartition(".")[2] for word in words} - {"Optional", "None", "Union"}
    if words == {"Tensor"} or words == {"Parameter"}:
        return TENSOR
    if words & {"Tuple", "tuple", "List", "list", "Sequence", "Dict", "dict"}:
        return DICT if words & {"Dict", "dict"} else LIST
    if words and words <= set(SCALAR_NAMES):
        return CONST
    return STR if words == {"str"} else UNKNOWN
