"""Tell which calls give back, or change, the memory of the tensor that they are given."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from porter.mapping.bind import Binding, bind
from porter.source.names import Names, Scope
from porter.source.program import FunctionInfo, Program

# The result of these methods is, or may be, the tensor itself or a view of it.
SHARING = frozenset(
    (
        *("view", "view_as", "reshape", "transpose", "permute", "t", "swapaxes", "movedim"),
        *("expand", "expand_as", "narrow", "select", "squeeze", "unsqueeze", "flatten"),
        *("unflatten", "unfold", "diagonal", "split", "chunk", "unbind", "detach"),
        *("contiguous", "to", "type", "type_as", "float", "half", "cpu", "cuda"),
        *("double", "int", "long", "bool", "numpy", "from_numpy", "as_tensor", "asarray"),
        *("ravel", "swapdims", "moveaxis", "tensor_split", "hsplit", "vsplit", "dsplit"),
        *("view_as_real", "view_as_complex", "real", "imag", "broadcast_to", "broadcast_tensors"),
        *("as_strided", "atleast_1d", "atleast_2d", "atleast_3d", "adjoint", "meshgrid"),
        *("positive", "resolve_conj", "resolve_neg", "split_with_sizes", "Parameter"),
    )
)
PLAIN = frozenset(
    (
        "shape",
        "dtype",
        "ndim",
        "device",
        "layout",
        "requires_grad",
        "is_cuda",
        "is_leaf",
        "itemsize",
    )
)
"""Attributes of a tensor that are no tensors."""


def sharing(value: ast.expr, calls: frozenset[ast.Call]) -> Iterator[str]:
    """Yield the names whose memory the value of an expression may share.

    `calls` are the calls of modules and functions whose result may be their first argument.
    """
    match value:
        case ast.Name():
            yield value.id
        case ast.Attribute() if value.attr in PLAIN:
            return
        case ast.Attribute() | ast.Subscript() | ast.Starred() | ast.NamedExpr():
            yield from sharing(value.value, calls)
        case ast.Tuple() | ast.List() | ast.Set():
            for item in value.elts:
                yield from sharing(item, calls)
        case ast.Dict():
            for item in value.values:
                yield from sharing(item, calls)
        case ast.IfExp():
            yield from sharing(value.body, calls)
            yield from sharing(value.orelse, calls)
        case ast.BoolOp():
            for item in value.values:
                yield from sharing(item, calls)
        case ast.Call() if value in calls:
            for item in value.args[:1]:
                yield from sharing(item, calls)
        case ast.Call(func=ast.Attribute() as func) if func.attr in SHARING or updates(func.attr):
            yield from sharing(func.value, calls)
            # torch.transpose(x, 0, 1): the tensor is the first argument of the function.
            for item in value.args[:1]:
                yield from sharing(item, calls)


def updates(method: str) -> bool:
    """Tell whether a method of a tensor changes it, and gives it back."""
    return method.endswith("_") and not method.startswith("_")


def asks_inplace(binding: Binding) -> bool:
    """Tell whether a call, or the constructor of a module, says `inplace=True`."""
    inplace = binding.values.get("inplace")
    return isinstance(inplace, ast.Constant) and inplace.value is True


class Memory:
    """Know of a program's modules and functions whether they return or update what they get.

    A dropout in evaluation mode is its input; `nn.ReLU(inplace=True)` changes it.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._functions: dict[ast.AST, bool] = {}
        self._attributes: dict[tuple[str, str], tuple[bool, bool]] = {}
        self._assigned: dict[ast.AST, dict[str, list[ast.expr]]] = {}

    def calls(
        self, node: ast.AST, names: Names, scope: Scope, owner: str | None
    ) -> tuple[frozenset[ast.Call], frozenset[ast.Call]]:
        """Return the calls below a node that share memory, and those that update it."""
        shared, updating = set(), set()
        for call in self._program.below(node):
            if isinstance(call, ast.Call):
                updates, shares = self._effect_of_call(call, names, scope, owner)
                if updates:
                    updating.add(call)
                if updates or shares:
                    shared.add(call)
        return frozenset(shared), frozenset(updating)

    def _effect_of_call(
        self, call: ast.Call, names: Names, scope: Scope, owner: str | None
    ) -> tuple[bool, bool]:
        """Return whether a call updates its first argument, and whether it may return it."""
        match call.func:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if owner is not None:
                return self._attribute(owner, name)
            case ast.Call() as made:
                return self._effect_of_module(made, names, scope)
        reference = self._program.reference(call.func, scope, names)
        statement = self._program.constants.get(reference or "")
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            return self._effect_of_module(statement.value, names, names.top)
        if reference is None:
            return False, False
        function = self._program.functions.get(reference)
        if function is not None:
            return False, self._returns_first(function)
        entry = self._program.mapping.find(reference)
        return False, entry is not None and entry.kind == "function" and entry.shares

    def _attribute(self, owner: str, name: str) -> tuple[bool, bool]:
        """Return the effect of calling `self.name`, whatever the class may set it to."""
        key = (owner, name)
        if key in self._attributes:
            return self._attributes[key]
        self._attributes[key] = (False, False)  # a class may hold an object of itself
        updates = shares = False
        method = self._program.find_method(owner, name)
        if method is not None:
            shares = self._returns_first(method)
        for ancestor in self._program.ancestry(owner):
            info = self._program.classes.get(ancestor)
            for node in info.methods.values() if info is not None else ():
                if node not in self._assigned:
                    self._assigned[node] = _assigned(self._program.below(node))
                for value in self._assigned[node].get(name, ()):
                    assert info is not None
                    found = self._effect_of_module(value, info.names, info.names.scopes[node])
                    updates, shares = updates or found[0], shares or found[1]
        self._attributes[key] = (updates, shares)
        return self._attributes[key]

    def _effect_of_module(self, value: ast.expr, names: Names, scope: Scope) -> tuple[bool, bool]:
        """Return the effect of calling what an expression makes."""
        if isinstance(value, ast.IfExp):
            first = self._effect_of_module(value.body, names, scope)
            second = self._effect_of_module(value.orelse, names, scope)
            return first[0] or second[0], first[1] or second[1]
        reference = (
            self._program.reference(value.func, scope, names)
            if isinstance(value, ast.Call)
            else None
        )
        if not isinstance(value, ast.Call) or reference is None:
            return False, False
        if reference in self._program.classes:
            forward = self._program.find_method(reference, "forward")
            return False, forward is not None and self._returns_first(forward)
        entry = self._program.mapping.find(reference)
        if entry is None or entry.kind != "module":
            return False, False
        if entry.name == "torch.nn.Sequential":
            return self._effect_of_chain(value, names, scope)
        for overload in entry.overloads:
            binding = bind(overload.signature, value) if overload.signature is not None else None
            if isinstance(binding, Binding) and asks_inplace(binding):
                return True, True
        return False, entry.shares

    def _effect_of_chain(self, value: ast.Call, names: Names, scope: Scope) -> tuple[bool, bool]:
        """Return the effect of modules one after another, as far as the first gets the input."""
        updates = False
        for part in value.args:
            inner = self._effect_of_module(part, names, scope)
            updates = updates or inner[0]
            if not any(inner):
                return updates, False
        return updates, bool(value.args)

    def _returns_first(self, function: FunctionInfo) -> bool:
        """Tell whether a function of the source may return its first tensor argument itself."""
        node = function.node
        if node in self._functions:
            return self._functions[node]
        self._functions[node] = False  # a recursive call adds nothing
        arguments = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        arguments = arguments[1:] if function.owner is not None else arguments
        if not arguments:
            return False
        owner = function.owner.qualified if function.owner is not None else None
        calls, _ = self.calls(node, function.names, function.names.scopes[node], owner)
        same = {arguments[0]}
        for inner in self._program.below(node):
            if isinstance(inner, ast.Assign) and same & set(sharing(inner.value, calls)):
                same |= {item.id for item in inner.targets if isinstance(item, ast.Name)}
        rebound = {
            item.id
            for inner in node.body
            if isinstance(inner, ast.Assign) and not same & set(sharing(inner.value, calls))
            for item in inner.targets
            if isinstance(item, ast.Name)
        }
        self._functions[node] = any(
            isinstance(inner, ast.Return)
            and inner.value is not None
            and not isinstance(inner.value, ast.Tuple)
            and (same & set(sharing(inner.value, calls))) - rebound
            for inner in self._program.below(node)
        )
        return self._functions[node]


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return what statements assign to each attribute of self."""
    found: dict[str, list[ast.expr]] = {}
    for inner in nodes:
        if not isinstance(inner, ast.Assign | ast.AnnAssign) or inner.value is None:
            continue
        for target in inner.targets if isinstance(inner, ast.Assign) else [inner.target]:
            match target:
                case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                    found.setdefault(attribute, []).append(inner.value)
    return found
