"""Find Cells that Python containers hide, partial functions on a Cell, and outputs that change."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.attributes import assigned_attributes
from porter.check.rule import ClassContext, Context, Hit, on, on_class


def _makes_cell(context: ClassContext, node: ast.expr) -> bool:
    """Tell whether an expression makes a Cell that may hold parameters."""
    if not isinstance(node, ast.Call):
        return False
    qualified = context.qualified(node.func)
    if qualified is not None and qualified.startswith("mindspore.nn."):
        name = qualified.rpartition(".")[2]
        return name in WITH_PARAMETERS
    reference = context.graph.project.program.reference(node.func, context.names.top, context.names)
    defined = context.graph.project.define(reference) if reference else None
    info = context.graph.project.program.classes.get(defined or "")
    return info is not None and "construct" in info.methods


WITH_PARAMETERS = frozenset(
    [
        "Dense",
        "Linear",
        "Conv1d",
        "Conv2d",
        "Conv3d",
        "Embedding",
        "LayerNorm",
        "BatchNorm1d",
        "BatchNorm2d",
        "GroupNorm",
        "LSTM",
        "GRU",
        "Conv2dTranspose",
        "PReLU",
    ]
)


def _registers(context: ClassContext) -> bool:
    """Tell whether a constructor names its Cells by itself, as insert_child_to_cell does."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in ("insert_child_to_cell", "add_module")
        for node in context.constructor
    )


@on_class
def hidden_cells(context: ClassContext) -> Iterable[Hit]:
    """Report `self.layers = [nn.Dense(...), ...]`: the parameters are not registered."""
    if _registers(context):
        return
    for name, value in assigned_attributes(context.info, context.graph.project):
        items: list[ast.expr] = []
        if isinstance(value, ast.List | ast.Tuple):
            items = value.elts
        elif isinstance(value, ast.ListComp):
            items = [value.elt]
        if any(
            _makes_cell(context, item) for item in items
        ) and name in context.graph.used_attributes(context.info):
            yield Hit(
                "PRT350",
                value,
                f"the Cells of self.{name} are in a plain list: they have no parameters of their"
                " own names, and nothing trains them",
                "use nn.CellList",
            )


@on_class
def stored_partial(context: ClassContext) -> Iterable[Hit]:
    """Report `self.f = functools.partial(...)`, which STRICT refuses."""
    for name, value in assigned_attributes(context.info, context.graph.project):
        if (
            isinstance(value, ast.Call)
            and context.qualified(value.func) == "functools.partial"
            and name in context.graph.used_attributes(context.info)
        ):
            yield Hit(
                "PRT314",
                value,
                f"self.{name} is a functools.partial: STRICT refuses to call it",
                "keep the arguments in attributes and call the function with them",
            )


@on(ast.Name)
def module_partial(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a functools.partial of a module that the graph uses."""
    assert isinstance(node, ast.Name)
    reference = context.reference(node) if isinstance(node.ctx, ast.Load) else None
    statement = context.graph.project.program.constants.get(reference or "")
    if (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Call)
        and context.names.qualified(statement.value.func, context.names.top) == "functools.partial"
    ):
        yield Hit(
            "PRT314",
            node,
            f"{node.id} is a functools.partial: STRICT refuses to call it",
            "call the function itself with the arguments",
        )


@on(ast.Return)
def returned(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report a None in, or a dict as, the result of construct; only the outermost Cell cares."""
    assert isinstance(node, ast.Return)
    if context.function.role != "construct" or node.value is None:
        return
    value = node.value
    if isinstance(value, ast.Tuple | ast.List) and any(
        isinstance(item, ast.Constant) and item.value is None for item in value.elts
    ):
        yield Hit(
            "PRT351",
            node,
            "in STRICT a None that the outermost Cell returns is dropped",
            "return tensors only",
        )
    if isinstance(value, ast.Dict):
        yield Hit(
            "PRT352",
            node,
            "in STRICT a dict that the outermost Cell returns comes back as a tuple",
            "return a tuple, and name its parts outside",
        )
