"""Find Python objects that are built in the graph, and dict methods that it does not know."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.attributes import LISTS
from porter.check.kinds import SETTLED
from porter.check.rule import ClassContext, Context, Hit, on
from porter.source.program import ClassInfo

UNKNOWN_DICT_METHODS = {
    "pop": "read d[key], and build the dict without it",
    "popitem": "read d[key], and build the dict without it",
    "setdefault": "test `key in d` and assign",
    "copy": "write {**d} of a dict display, or d itself",
}
MAPPINGS = ("collections.defaultdict", "collections.Counter")


@on(ast.Call)
def constructed(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report an object of a plain class that is built from tensors."""
    assert isinstance(node, ast.Call)
    project = context.graph.project
    reference = context.reference(node.func)
    if reference is None or reference.startswith(("mindspore.", "numpy.")):
        return
    defined = project.define(reference)
    if defined is None:
        return
    info = project.program.classes.get(defined)
    named = info is None and _is_namedtuple(context, defined)
    if not named and (info is None or not _is_plain(context, info)):
        return
    parts = [*node.args, *(item.value for item in node.keywords)]
    name = defined.rpartition(".")[2]
    # What an object of results holds are tensors, even where nothing tells.
    results = name.endswith(("Output", "Cache")) and any(
        context.kind(part) not in SETTLED for part in parts
    )
    if not results and not any(context.kinds.changing(part) for part in parts):
        return
    yield Hit(
        "PRT315",
        node,
        f"an object of {name} is built in the graph: STRICT refuses it, and its gradients are zero",
        "return a tuple or a dict, and build the object outside of the Cell",
    )


def _is_plain(context: Context | ClassContext, info: ClassInfo) -> bool:
    """Tell whether a class is neither a Cell nor a jit_class, nor raised as an error."""
    project = context.graph.project
    for decorator in info.node.decorator_list:
        if (context.graph.decorator(decorator, info.names) or "").endswith("jit_class"):
            return False
    for name in project.ancestry(info.qualified):
        own = project.program.classes.get(name)
        if own is not None and "construct" in own.methods:
            return False
        last = name.rpartition(".")[2]
        if name.startswith("mindspore.") or last.endswith(
            ("Cell", "Error", "Exception", "Warning", "Enum", "Primitive")
        ):
            return False
    # A base that nothing resolves may be a Cell.
    return all(base and _known(context, base) for base in info.bases) or _is_output(info)


def _known(context: Context | ClassContext, base: str) -> bool:
    project = context.graph.project
    place = base.rpartition(".")[0]
    return base.startswith(("typing.", "collections.", "object")) or (
        (project.define(base) or "") in project.program.classes or place == ""
    )


def _is_output(info: ClassInfo) -> bool:
    return any(base.rpartition(".")[2].endswith("Output") for base in info.bases)


def _is_namedtuple(context: Context, qualified: str) -> bool:
    statement = context.graph.project.program.constants.get(qualified)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return False
    func = statement.value.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return name in ("namedtuple", "NamedTuple")


@on(ast.Call)
def dict_method(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a dict method that gives another value in the graph, or none."""
    assert isinstance(node, ast.Call)
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr in UNKNOWN_DICT_METHODS:
        if context.kind(func.value) == "dict":
            yield Hit(
                "PRT316",
                node,
                f"dict.{func.attr} is not known to the graph: LAX can give a wrong value",
                UNKNOWN_DICT_METHODS[func.attr],
            )
    elif context.qualified(func) in MAPPINGS:
        yield Hit(
            "PRT316",
            node,
            f"a {(context.qualified(func) or '').rpartition('.')[2]} has no default values in the"
            " graph",
            "use a plain dict and set the values first",
        )


@on(ast.Dict)
def dict_spread(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `{**d, ...}`: the graph wraps each value of d in tuples."""
    assert isinstance(node, ast.Dict)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None and isinstance(value, ast.Name) and context.kind(value) == "dict":
            yield Hit(
                "PRT316",
                node,
                f"{{**{value.id}}} wraps the values of {value.id} in tuples in the graph",
                "use d.update, or pass the arguments by name",
            )


@on(ast.BinOp)
def dict_union(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `a | b` of dicts."""
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.BitOr) and "dict" in (
        context.kind(node.left),
        context.kind(node.right),
    ):
        yield Hit(
            "PRT316", node, "`|` of dicts does not compile", "use d.update, or one dict display"
        )


@on(ast.Subscript, ast.For)
def indexed_cell(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `self.scales[0]` and a loop over `self.scales`, where a class says how it is read."""
    assert isinstance(node, ast.Subscript | ast.For)
    value = node.value if isinstance(node, ast.Subscript) else node.iter
    method = "__getitem__" if isinstance(node, ast.Subscript) else "__iter__"
    match value:
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if context.owner is not None:
            held = context.kinds.attribute_class(context.owner.qualified, name)
        case _:
            return
    ancestry = context.graph.project.ancestry(held) if held else []
    classes = context.graph.project.program.classes
    own = [classes[item] for item in ancestry if item in classes]
    cell = any(item.rpartition(".")[2] == "Cell" for item in ancestry)
    # MindSpore's own containers are known to the compiler.
    known = any(item.rpartition(".")[2] in LISTS for item in ancestry)
    if cell and not known and any(method in info.methods for info in own):
        yield Hit(
            "PRT317",
            value,
            f"no gradient passes through the {method} of self.{name}: it is zero, without an error",
            "keep the parameters or Cells in a tuple attribute, and read that",
        )
