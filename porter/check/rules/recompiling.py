"""Find inputs that make the graph compile again, and defaults that are not PyTorch's; opt-in."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from porter.check.rule import ClassContext, Context, Hit, on, on_class

NUMBERS = ("int", "float", "bool")
LISTS = ("list", "List", "Sequence", "tuple", "Tuple", "dict", "Dict")
DEFAULTS = {
    "LayerNorm": ("epsilon", 1, "epsilon is 1e-7, PyTorch's is 1e-5"),
    "GELU": ("approximate", 0, "approximate is True, PyTorch's GELU is exact"),
    "Conv1d": ("pad_mode", 4, "pad_mode is 'same' and has_bias False, PyTorch pads nothing"),
    "Conv2d": ("pad_mode", 4, "pad_mode is 'same' and has_bias False, PyTorch pads nothing"),
    "MaxPool2d": ("stride", 1, "stride is 1, PyTorch's is the kernel size"),
    "AvgPool2d": ("stride", 1, "stride is 1, PyTorch's is the kernel size"),
    "LeakyReLU": ("alpha", 0, "alpha is 0.2, PyTorch's is 0.01"),
}


@on(ast.FunctionDef)
def parameters(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report parameters of construct that are annotated as numbers or containers."""
    function = context.function
    if node is not function.node or function.role != "construct":
        return
    for parameter in [*function.node.args.args, *function.node.args.kwonlyargs]:
        if parameter.annotation is None:
            continue
        base = parameter.annotation
        outer = base.value if isinstance(base, ast.Subscript) else base
        name = outer.attr if isinstance(outer, ast.Attribute) else getattr(outer, "id", "")
        if name in NUMBERS and name != "bool":
            yield Hit(
                "PRT360",
                parameter,
                f"each new value of the number {parameter.arg} compiles the graph again",
                "pass a Tensor, or mindspore.mutable",
            )
        elif name in LISTS:
            yield Hit(
                "PRT361",
                parameter,
                f"the {name.lower()} {parameter.arg} compiles the graph again at every call",
                "wrap it in mindspore.mutable, or pass tensors one by one",
            )


@on_class
def other_default(context: ClassContext) -> Iterable[Hit]:
    """Report layers whose default is silently another than PyTorch's."""
    for node in context.constructor:
        if not isinstance(node, ast.Call):
            continue
        qualified = context.qualified(node.func) or ""
        place, _, name = qualified.rpartition(".")
        if place != "mindspore.nn" or name not in DEFAULTS:
            continue
        argument, position, text = DEFAULTS[name]
        given = len(node.args) > position or any(k.arg in (argument, None) for k in node.keywords)
        if not given:
            yield Hit("PRT370", node, f"nn.{name}: the default {text}", f"give {argument}=")


@on_class
def every_shape(context: ClassContext) -> Iterable[Hit]:
    """Report a Cell that no other Cell holds, and whose module never declares inputs."""
    construct = context.info.methods["construct"]
    if "set_inputs" in context.names.module.text or len(construct.args.args) < 2:
        return
    if context.info.qualified in context.kinds.held:
        return
    yield Hit(
        "PRT362",
        construct,
        "each new shape of an input compiles the graph again: no set_inputs declares what changes",
        "call set_inputs with Tensor(shape=(None, ...), dtype=...), None where a size changes",
    )
