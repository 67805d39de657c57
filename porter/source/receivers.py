"""Tell whether what a method is called on is a tensor, and how sure that is."""

from __future__ import annotations

import ast
from enum import Enum

from porter.source.infer import Inference
from porter.source.python_kinds import is_tensor_method


class Receiver(Enum):
    """What a method or attribute is asked of.

    TENSOR is known from annotations, mapped calls and what follows from them. ASSUMED is a guess:
    an unannotated parameter of `forward`, what callers of a function pass to it, or a method that
    nothing else in the source has. OTHER is known to be no tensor. UNKNOWN is left as it is.
    """

    TENSOR = "tensor"
    ASSUMED = "assumed"
    OTHER = "other"
    UNKNOWN = "unknown"

    @property
    def is_tensor(self) -> bool:
        """Whether the port treats it as a tensor."""
        return self in (Receiver.TENSOR, Receiver.ASSUMED)


def receiver(inference: Inference, node: ast.Attribute, call: ast.Call | None) -> Receiver:
    """Return what an attribute is read from.

    Args:
        call: the call whose function the attribute is, None for a plain attribute.
    """
    kind = inference.kind(node.value)
    if kind.name == "tensor":
        return Receiver.TENSOR if kind.sure else Receiver.ASSUMED
    if kind.name != "unknown":
        return Receiver.OTHER
    if call is None or inference.program.mapping.method(node.attr) is None:
        return Receiver.UNKNOWN
    if node.attr == "to" and _moves(inference, call):
        return Receiver.ASSUMED
    if is_tensor_method(node.attr) and node.attr not in inference.defined:
        return Receiver.ASSUMED
    return Receiver.UNKNOWN


def _moves(inference: Inference, call: ast.Call) -> bool:
    """`.to(device)` and `.to(dtype)` mean the same for a tensor and all else that has them."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return bool(values) and all(
        inference.kind(value).name in ("device", "dtype") for value in values
    )
