"""Give parameters their kinds: by annotation, default and the calls that the program makes."""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.source.call_kinds import ANY_MODULE, CallKinds
from porter.source.gathered import Definition
from porter.source.kinds import (
    ASSUMED_TENSOR,
    BOOL,
    DEVICE,
    DICT,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Kind,
    join,
    tuple_of,
)
from porter.source.program import MODULE_ROOTS

LITERALS = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE}
SILENT = ("unknown", "none", "object")


class ParameterKinds(CallKinds):
    """The parameters of a walk."""

    def bind_parameters(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Give each parameter the kind of its annotation or default, or a guess marked unsure."""
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
        defaults += arguments.defaults
        pairs = [
            *zip(plain, defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        autograd = self.owner is not None and self.program.is_autograd(self.owner.qualified)
        is_forward = self.owner is not None and (
            node.name == "forward" or (autograd and node.name == "backward")
        )
        decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        static = "staticmethod" in decorators
        first = "class" if "classmethod" in decorators else "module"
        for position, (argument, default) in enumerate(pairs):
            if position == 0 and autograd and self.owner is not None:
                self.env[argument.arg] = Kind("context", cls=self.owner.qualified)
                continue
            if position == 0 and self.owner is not None and not static:
                self.env[argument.arg] = Kind(first, cls=self.owner.qualified)
                continue
            usual = self.infer(default) if default is not None else UNKNOWN
            kind = self.parameter(node, argument, default, is_forward)
            settled = kind.sure and kind.name != "unknown"
            called = usual.name in ("function", "class") and not settled
            self.env[argument.arg] = usual if called else kind
        for extra, is_dict in ((arguments.vararg, False), (arguments.kwarg, True)):
            if extra is not None:
                self.env[extra.arg] = self.collected(node, extra, is_forward, is_dict)

    def parameter(
        self, node: Definition, argument: ast.arg, default: ast.expr | None, is_forward: bool
    ) -> Kind:
        """Return the kind of one parameter."""
        literal = literal_kind(default)
        absent = literal is not None and literal.name == "none"
        kind = self.promised(argument)
        given = self.inference.argument(node, argument.arg)
        if kind.cls in MODULE_ROOTS and given.name == "module":
            kind = given  # the class that is passed says more
        if argument.annotation is not None:
            return replace(kind, optional=True) if absent and kind.name != "unknown" else kind
        if literal is not None and not absent:
            return literal if given.name in SILENT else join(literal, given)
        kind = ASSUMED_TENSOR if is_forward else _by_name(argument.arg)
        if given.name not in SILENT or (given.name == "object" and not is_forward):
            # Callers outside of the program may give other values.
            kind = replace(given, sure=False) if given.name == "tensor" else given
        if kind.name == "unknown" and _is_asked_as_module(node, argument.arg):
            kind = ANY_MODULE
        return replace(kind, optional=True) if absent and kind.name != "unknown" else kind

    def collected(
        self, node: Definition, argument: ast.arg, is_forward: bool, is_dict: bool
    ) -> Kind:
        """Return the kind of `*args` or `**kwargs`."""
        held = self.promised(argument)
        if argument.annotation is None:
            held = self.inference.argument(node, argument.arg)
        if is_dict:
            return DICT if held.name in SILENT else Kind("dict", element=held)
        if held.name in SILENT:
            return Kind("tuple", element=ASSUMED_TENSOR) if is_forward else Kind("tuple")
        return Kind("tuple", element=held)

    def promised(self, argument: ast.arg) -> Kind:
        if argument.annotation is None:
            return UNKNOWN
        return self.inference.promised(argument.annotation, self.names)


def _by_name(name: str) -> Kind:
    known = {"config": Kind("config"), "device": DEVICE, "module": ANY_MODULE}
    return known.get(name, UNKNOWN)


def _is_asked_as_module(node: Definition, name: str) -> bool:
    """Tell whether a function asks a parameter for its parameters, or calls it and sets its mode.

    A trainer of another library has `train`, too, but nobody calls the trainer itself.
    """
    called = switched = False
    for call in ast.walk(node):
        match call:
            case ast.Call(func=ast.Name(id=callee)) if callee == name:
                called = True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=method)):
                if owner == name and method in ("parameters", "named_parameters"):
                    return True
                switched |= owner == name and method in ("train", "eval")
    return called and switched


def literal_kind(node: ast.expr | None) -> Kind | None:
    """Return the kind of a literal; None for what is none."""
    if isinstance(node, ast.Constant):
        return LITERALS.get(type(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return LITERALS.get(type(node.operand.value))
    if isinstance(node, ast.Tuple) and node.elts:
        return tuple_of(*(literal_kind(item) or UNKNOWN for item in node.elts))
    return None
