"""Infer the kind of a call: of a mapped name, of the source's own code, a method, a builtin."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce

from porter.mapping.bind import Binding
from porter.mapping.schema import Entry, Overload
from porter.source.dtypes import TENSORS, dtype_of
from porter.source.expressions import ExpressionKinds
from porter.source.factories import is_factory
from porter.source.gathered import Definition, asks_for_tuple, given_arguments
from porter.source.kinds import (
    ARRAY,
    ASSUMED_TENSOR,
    BOOL,
    DICT,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    SHAPE,
    STR,
    TENSOR,
    UNKNOWN,
    Kind,
    elements,
    fits,
    is_shape,
    join,
    list_of,
    named,
    tuple_of,
)
from porter.source.program import FunctionInfo
from porter.source.python_kinds import host_call, is_tensor_method, python_method

RESULTS = {
    **dict.fromkeys(("len", "int", "round", "ord", "hash", "id"), INT),
    **dict.fromkeys(
        ("bool", "isinstance", "issubclass", "hasattr", "callable", "any", "all"), BOOL
    ),
    **dict.fromkeys(("str", "repr", "chr", "input", "format"), STR),
    **dict.fromkeys(("open", "bytes", "memoryview", "complex", "slice", "object"), OBJECT),
    "float": FLOAT,
}
SEQUENTIAL = "torch.nn.Sequential"
MODULE_LISTS = ("torch.nn.ModuleList", SEQUENTIAL, "torch.nn.ModuleDict")
ANY_MODULE = Kind("module", cls="torch.nn.Module", sure=False)
PARAMETERS = list_of(TENSOR)
NAMED_PARAMETERS = list_of(tuple_of(STR, TENSOR))
MODULE_METHODS = {
    **dict.fromkeys(("parameters", "buffers"), PARAMETERS),
    **dict.fromkeys(("named_parameters", "named_buffers"), NAMED_PARAMETERS),
    "state_dict": Kind("dict", element=TENSOR),
    **dict.fromkeys(("modules", "children"), list_of(ANY_MODULE)),
    **dict.fromkeys(("named_modules", "named_children"), list_of(tuple_of(STR, ANY_MODULE))),
    **dict.fromkeys(("get_parameter", "get_buffer"), TENSOR),
}
SAME_MODULE = ("to", "cuda", "cpu", "train", "eval", "requires_grad_", "apply")
"""Methods of torch.nn.Module that give the module back."""
REGISTERING = ("register_buffer", "register_parameter", "add_module", "register_module")
ADDING = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1}


class CallKinds(ExpressionKinds):
    """The calls of a walk."""

    def call(self, node: ast.Call) -> Kind:
        arguments = [self.infer(argument) for argument in node.args]
        for keyword in node.keywords:
            self.infer(keyword.value)
        qualified = self.inference.qualified(node.func, self.scope, self.names)
        if qualified is not None:
            entry = self.program.mapping.find(qualified)
            if entry is not None:
                kind = self.mapped_call(qualified, entry, node, arguments)
                numpy = qualified.startswith("numpy.")
                return ARRAY if numpy and kind.name in ("tensor", "unknown") else kind
            foreign = self.foreign_call(qualified, node, arguments)
            if foreign is not None:
                return foreign
        callee = self.infer(node.func)
        if callee.name == "class" and callee.cls is not None:
            return self.constructed(callee.cls, node)
        result = self.called(callee, node)
        if result is not None:
            return result
        if isinstance(node.func, ast.Name) and callee.name == "unknown":
            return self.builtin(node, node.func.id, arguments)
        if isinstance(node.func, ast.Attribute):
            return self.method_call(node, node.func, arguments)
        return UNKNOWN

    def called(self, callee: Kind, node: ast.Call | None) -> Kind | None:
        """Return what calling a function or module gives, None where nothing is known of it.

        Args:
            node: the call whose arguments the function is given; None where they are not known.
        """
        if callee.name not in ("function", "module", "modules"):
            return None
        if callee.name == "modules":
            if callee.cls != SEQUENTIAL:
                return None
            last = callee.items[-1] if callee.items else callee.element
            result = self.called(last, None) if last is not None else None
            return ASSUMED_TENSOR if result is None or result.name == "unknown" else result
        if callee.items:
            known = [item for item in callee.items if item.cls != ANY_MODULE.cls]
            return reduce(join, [self.called(item, node) or UNKNOWN for item in known])
        if callee.element is not None:
            return callee.element
        if callee.cls is None:
            return None
        if callee.name == "function":
            return self.returned_by(callee.cls, node)
        return self.module_call(callee.cls, node)

    def pass_arguments(self, definition: Definition, node: ast.Call | None, bound: bool) -> None:
        """Remember what a call gives to the parameters of a function of the program."""
        if node is not None:
            for name, kind in given_arguments(definition, node, self.kinds, bound=bound):
                self.inference.arguments.add(self.inference.unit, (definition, name), kind)

    def returns(self, function: FunctionInfo, node: ast.Call | None) -> Kind:
        static = any(
            isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.node.decorator_list
        )
        owner = function.owner
        bound = owner is not None and (not static or self.program.is_autograd(owner.qualified))
        self.pass_arguments(function.node, node, bound)
        result = self.inference.returns(function)
        return UNKNOWN if result.name == "output" and asks_for_tuple(node) else result

    def foreign_call(self, qualified: str, node: ast.Call, arguments: list[Kind]) -> Kind | None:
        """Return the kind of a call of an imported name that is neither mapped nor the source's."""
        if self.program.defined(self.program.aliases.get(qualified, qualified)) or not arguments:
            return host_call(qualified)
        if qualified == "functools.partial":
            result = self.called(arguments[0], None)
            if arguments[0].name == "class":
                return arguments[0]
            return Kind("function", element=result) if result is not None else Kind("function")
        if qualified in ("copy.copy", "copy.deepcopy"):
            return arguments[0]
        if qualified == "typing.cast":
            return self.inference.promised(node.args[0], self.names)
        if qualified == "itertools.chain":
            return list_of(reduce(join, map(self.element, arguments)))
        return host_call(qualified)

    def mapped_call(
        self, qualified: str, entry: Entry, node: ast.Call, arguments: list[Kind]
    ) -> Kind:
        if entry.manual is not None and is_factory(qualified):
            return NONE  # what no configuration chose a class for is not in the port
        if entry.kind == "module":
            if qualified in MODULE_LISTS:
                return self.module_list(qualified, node, arguments)
            return Kind("module", cls=qualified)
        if entry.kind == "class":
            if self.program.is_output_name(qualified):
                return self.output_of(qualified, node, ())
            if qualified == "torch.nn.Module":
                return Kind("module", cls=qualified)
            made = replace(TENSOR, dtype=TENSORS.get(qualified.rpartition(".")[2]))
            if entry.overloads and entry.overloads[0].result == "shape":
                return SHAPE
            return made if entry.target == "mindspore.Tensor" else UNKNOWN
        if entry.kind == "annotation":
            # Called, it makes a value: torch.device("cpu") is a device. "tensor" is the default.
            result = entry.overloads[0].result if entry.overloads else "tensor"
            return named(result) if result != "tensor" else UNKNOWN
        return self.chosen_result(entry, node, None)

    def module_list(self, qualified: str, node: ast.Call, arguments: list[Kind]) -> Kind:
        """Return the kind of a container of modules, with its parts where they are known."""
        spread = any(isinstance(argument, ast.Starred) for argument in node.args)
        if not arguments:
            return Kind("modules", items=(), cls=qualified)
        if qualified == SEQUENTIAL and (spread or arguments[0].name == "module"):
            if spread:
                return Kind("modules", element=self.element(arguments[-1]), cls=qualified)
            return Kind("modules", items=tuple(arguments), cls=qualified)
        held = elements(arguments[0])
        return Kind("modules", items=arguments[0].items, element=held, cls=qualified)

    def chosen_result(self, entry: Entry, node: ast.Call, receiver: ast.expr | None) -> Kind:
        """Return the kind that a mapped call gives: of the first spelling, or of all that may be.

        Where the kinds of the arguments do not tell which is meant, a result that all share holds.
        """
        kinds: list[Kind] = []
        for overload, binding in self.inference.spellings(entry, node, receiver):
            verdicts = [
                fits(self.kinds.get(binding.values[name], UNKNOWN), wanted)
                for name, wanted in overload.types.items()
                if name in binding.values
            ]
            if False in verdicts:
                continue
            kinds.append(self.result_of(entry, overload, binding))
            if None not in verdicts:
                break
        return reduce(join, kinds) if kinds else UNKNOWN

    def result_of(self, entry: Entry, overload: Overload, binding: Binding) -> Kind:
        """Return the kind of a call's result; `same:NAME` is the kind of that argument."""
        if overload.result.startswith("same:"):
            argument = binding.values.get(overload.result[5:])
            return self.kinds.get(argument, UNKNOWN) if argument is not None else UNKNOWN
        rule = self.program.mapping.dtype_rule(entry.name)
        dtype = dtype_of(rule, entry.name, overload, binding, self.kinds) if rule else None
        if overload.fields:
            items = tuple(
                replace(TENSOR, dtype="int64" if name == "indices" else dtype)
                for name in overload.fields
            )
            return Kind(
                "tuple", items=items, fields=tuple(zip(overload.fields, items, strict=True))
            )
        kind = named(overload.result)
        if kind.name == "tensor":
            return replace(kind, dtype=dtype)
        if kind.name == "tuple" and kind.element is not None and kind.element.name == "tensor":
            return replace(kind, element=replace(kind.element, dtype=dtype))
        return kind

    def constructed(self, cls: str, node: ast.Call) -> Kind:
        fields = () if self.program.is_output_name(cls) else self.program.output_fields(cls)
        if fields is not None:
            return self.output_of(cls, node, fields)
        if cls in MODULE_LISTS:
            return self.module_list(cls, node, [self.kinds[argument] for argument in node.args])
        made = self.program.find_method(cls, "__init__")
        if made is not None:
            self.pass_arguments(made.node, node, True)
        if self.program.is_module(cls):
            return Kind("module", cls=cls)
        known = [name for name in self.program.ancestry(cls) if name not in self.program.classes]
        return Kind("object", cls=cls) if all(host_call(name) for name in known) else UNKNOWN

    def output_of(self, cls: str, node: ast.Call, fields: tuple[str, ...]) -> Kind:
        if any(keyword.arg is None for keyword in node.keywords):
            return Kind("output", cls=cls)  # what `**outputs` brings along is not known
        found = [(name, self.kinds[value]) for name, value in zip(fields, node.args, strict=False)]
        found += [(k.arg, self.kinds[k.value]) for k in node.keywords if k.arg is not None]
        return Kind("output", cls=cls, fields=tuple(found))

    def returned_by(self, qualified: str, node: ast.Call | None) -> Kind:
        kept = self.inference.results.get(qualified)
        if kept is not None:
            self.pass_arguments(kept[0], node, False)
            return kept[1]
        function = self.program.functions.get(qualified)
        if function is None:
            owner, _, name = qualified.rpartition(".")
            function = self.program.find_method(owner, name)
        return self.returns(function, node) if function is not None else UNKNOWN

    def module_call(self, cls: str, node: ast.Call | None) -> Kind:
        """Return what calling an instance gives: by its class, or the nearest base that says."""
        forward = self.program.find_method(cls, "forward")
        forward = forward or self.program.find_method(cls, "__call__")
        if forward is not None:
            return self.returns(forward, node)
        for ancestor in self.program.ancestry(cls):
            entry = self.program.mapping.find(ancestor)
            if entry is not None and entry.kind == "module" and entry.overloads:
                return named(entry.overloads[0].result)
        return UNKNOWN

    def method_call(self, node: ast.Call, func: ast.Attribute, arguments: list[Kind]) -> Kind:
        value = self.kinds.get(func.value, UNKNOWN)
        receiver = func.value.func if isinstance(func.value, ast.Call) else None
        if isinstance(receiver, ast.Name) and receiver.id == "super":
            return self.inherited(node, func.attr)
        if value.name == "class" and value.cls is not None:
            return self.class_method(value.cls, func.attr)
        if isinstance(func.value, ast.Name) and func.value.id == "self":
            self.register(func.attr, node)
        if value.name in ("tensor", "unknown"):
            known = value.name == "tensor"
            entry = self.program.mapping.method(func.attr)
            guessed = is_tensor_method(func.attr) and func.attr not in self.inference.defined
            if entry is not None and (known or guessed):
                result = self.chosen_result(entry, node, func.value)
                sure = known and value.sure
                return result if sure else replace(result, sure=False)
        position = ADDING.get(func.attr, len(arguments))
        if value.name in ("list", "set", "modules", "dict") and position < len(arguments):
            self.put(func.value, value, arguments[position])
        elif value.name in ("list", "set") and func.attr in ("extend", "update") and arguments:
            self.put(func.value, value, self.element(arguments[0]))
        if func.attr in MODULE_METHODS and (value.name == "module" or func.attr[:6] == "named_"):
            return MODULE_METHODS[func.attr]
        if value.name in ("module", "modules") and func.attr in SAME_MODULE:
            return value
        return python_method(value, func.attr)

    def put(self, holder: ast.expr, container: Kind, kind: Kind) -> None:
        raise NotImplementedError

    def store(self, name: str, kind: Kind) -> None:
        raise NotImplementedError

    def inherited(self, node: ast.Call, name: str) -> Kind:
        """Return what a method of a base gives, called through `super()`."""
        for base in self.owner.bases if self.owner is not None else ():
            method = self.program.find_method(base, name)
            if method is not None:
                return self.returns(method, node)
            entry = self.program.mapping.find(base)
            if (
                name == "forward"
                and entry is not None
                and entry.kind == "module"
                and entry.overloads
            ):
                return named(entry.overloads[0].result)
        return UNKNOWN

    def class_method(self, cls: str, name: str) -> Kind:
        """Return what a method called on a class gives."""
        if self.program.is_module(cls) and name.lstrip("_").startswith("from_"):
            return Kind("module", cls=cls)
        method = self.program.find_method(cls, name)
        return self.inference.returns(method) if method is not None else UNKNOWN

    def register(self, name: str, node: ast.Call) -> None:
        """Remember the attribute that a call such as `register_buffer("mask", mask)` sets."""
        if name in REGISTERING and len(node.args) >= 2:
            attribute = attribute_name(node.args[0])
            if attribute is not None:
                self.store(attribute, self.kinds[node.args[1]])

    def builtin(self, node: ast.Call, name: str, arguments: list[Kind]) -> Kind:
        if name in RESULTS:
            return RESULTS[name]
        if name == "dict":
            fields = [(k.arg, self.kinds[k.value]) for k in node.keywords if k.arg is not None]
            if arguments or len(fields) < len(node.keywords):
                return arguments[0] if arguments and arguments[0].name == "dict" else DICT
            held = reduce(join, [kind for _, kind in fields]) if fields else None
            return Kind("dict", element=held, fields=tuple(fields), items=None if fields else ())
        if name == "setattr" and len(arguments) == 3 and ast.unparse(node.args[0]) == "self":
            attribute = attribute_name(node.args[1])
            if attribute is not None:
                self.store(attribute, arguments[2])
            return UNKNOWN
        if not arguments:
            return Kind(name, items=()) if name in ("list", "tuple", "set") else UNKNOWN
        return self.builtin_of(node, name, arguments)

    def builtin_of(self, node: ast.Call, name: str, arguments: list[Kind]) -> Kind:
        """Return what a builtin gives that depends on its arguments."""
        first = arguments[0]
        if name == "getattr" and len(arguments) >= 2:
            attribute = attribute_name(node.args[1])
            found = self.attribute_of(first, attribute) if attribute is not None else UNKNOWN
            return join(found, arguments[2]) if len(arguments) == 3 else found
        if name in ("max", "min", "sum", "abs", "pow"):
            if name in ("max", "min", "sum") and len(arguments) == 1:
                return self.element(first)
            if any(kind.name == "tensor" for kind in arguments):
                return Kind("tensor", sure=all(kind.sure for kind in arguments))
            return reduce(join, arguments) if name != "sum" else self.element(first)
        if name == "range":
            return list_of(INT)
        if name in ("list", "tuple", "sorted", "reversed", "set", "frozenset", "iter"):
            if is_shape(first):
                return SHAPE
            result = {"tuple": "tuple", "set": "set", "frozenset": "set"}.get(name, "list")
            items = first.items if name in ("list", "tuple") else None
            return Kind(result, items=items, element=None if items else self.element(first))
        if name == "next":
            return self.element(first)
        if name == "enumerate":
            return list_of(tuple_of(INT, self.element(first)))
        if name == "zip":
            return list_of(tuple_of(*(self.element(kind) for kind in arguments)))
        if name == "map":
            return list_of(self.called(first, None) or UNKNOWN)
        if name == "filter" and len(arguments) == 2:
            return list_of(self.element(arguments[1]))
        return UNKNOWN


def attribute_name(node: ast.expr) -> str | None:
    """Return the attribute that an expression names, with `{}` for what is not known of it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return None
