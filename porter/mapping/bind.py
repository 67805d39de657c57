"""Bind the arguments of a call to a torch signature."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from porter.mapping.schema import Signature


@dataclass(frozen=True, slots=True)
class Binding:
    """Parameter name to the argument that the caller gave; a variadic parameter holds several.

    `options` are the keywords that the signature takes as `**options`.
    """

    values: dict[str, ast.expr]
    variadic: dict[str, tuple[ast.expr, ...]]
    by_keyword: frozenset[str]
    options: tuple[ast.keyword, ...] = ()

    def given(self, name: str) -> bool:
        return name in self.values or bool(self.variadic.get(name))


@dataclass(frozen=True, slots=True)
class BindingError:
    """Why a call does not bind: a diagnostic code and what is wrong."""

    code: str
    message: str


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "x1": "input", "x2": "other"}
"""Names of NumPy that torch takes for its own parameters."""


def bind(
    signature: Signature, call: ast.Call, receiver: ast.expr | None = None
) -> Binding | BindingError:
    """Bind `call` as Python would; starred arguments only where a variadic parameter takes them.

    Args:
        signature: the torch signature, `self` first for a method.
        call: the call as it stands in the source.
        receiver: what a method is called on; bound to the first parameter.
    """
    positional = list(signature.positional)
    values: dict[str, ast.expr] = {}
    variadic: dict[str, tuple[ast.expr, ...]] = {}
    if receiver is not None:
        values[positional.pop(0).name] = receiver
    rest: list[ast.expr] = []
    target = next((p for p in positional if p.variadic), None)
    for argument in call.args:
        parameter = positional[0] if positional else None
        if parameter is not None and not parameter.variadic:
            if isinstance(argument, ast.Starred):
                return BindingError(
                    "PRT104", "starred arguments do not tell which parameter they fill"
                )
            values[parameter.name] = argument
            positional.pop(0)
        elif target is not None:
            rest.append(argument)
        else:
            return BindingError("PRT107", "more arguments than the torch signature takes")
    if target is not None:
        variadic[target.name] = tuple(rest)
    by_keyword = set()
    options: list[ast.keyword] = []
    for keyword in call.keywords:
        if signature.options is not None and (keyword.arg is None or keyword.arg not in signature):
            options.append(keyword)
            continue
        if keyword.arg is None:
            return BindingError("PRT104", "** arguments do not tell which parameters they fill")
        name = keyword.arg
        if name == "out" and name not in signature:
            continue  # what a result is written to is no matter of the result
        alias = NUMPY_NAMES.get(name)
        if name not in signature and alias is not None and alias in signature:
            name = alias
        if name not in signature:
            return BindingError("PRT107", f"the torch signature has no parameter {name!r}")
        if name in values or variadic.get(name):
            return BindingError("PRT107", f"two values for the parameter {name!r}")
        if signature[name].variadic:
            variadic[name] = (keyword.value,)
        else:
            values[name] = keyword.value
        by_keyword.add(name)
    for parameter in signature.parameters:
        if parameter.default is None and not parameter.variadic and parameter.name not in values:
            return BindingError("PRT107", f"no value for the parameter {parameter.name!r}")
    return Binding(values, variadic, frozenset(by_keyword), tuple(options))
