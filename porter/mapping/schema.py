"""Define what a mapping entry may say, as frozen values with every field checked."""

from __future__ import annotations

import ast
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

KINDS = (
    "function",
    "method",
    "attribute",
    "module",
    "class",
    "constant",
    "decorator",
    "context",
    "annotation",
)
DIFFERENCES = ("same", "names", "defaults", "arguments", "construct", "partial", "none")
COERCIONS = ("tuple", "list", "int", "float", "shape", "not", "negate")
COMPARISONS = ("close", "exact", "shape", "statistics")


def _empty() -> AbstractMapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a torch signature; `default` is Python source, or None when required."""

    name: str
    default: str | None = None
    keyword_only: bool = False
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """A torch signature, parsed from its Python spelling; `options` is the name behind `**`."""

    parameters: tuple[Parameter, ...]
    options: str | None = None

    def __contains__(self, name: str) -> bool:
        return any(parameter.name == name for parameter in self.parameters)

    def __getitem__(self, name: str) -> Parameter:
        return next(parameter for parameter in self.parameters if parameter.name == name)

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """Parameters that a caller may give by position, the variadic one last."""
        return tuple(p for p in self.parameters if not p.keyword_only)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Parse `(input, dim=-1, *, dtype=None)`; raise SyntaxError or ValueError if it is none."""
        function = ast.parse(f"def f{text}: ...").body[0]
        if not isinstance(function, ast.FunctionDef):
            raise ValueError(f"not a signature: {text}")
        arguments = function.args
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(plain) - len(arguments.defaults)) + [
            ast.unparse(default) for default in arguments.defaults
        ]
        found = [Parameter(a.arg, default) for a, default in zip(plain, defaults, strict=True)]
        if arguments.vararg is not None:
            found.append(Parameter(arguments.vararg.arg, variadic=True))
        for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            default = None if value is None else ast.unparse(value)
            found.append(Parameter(argument.arg, default, keyword_only=True))
        return cls(tuple(found), arguments.kwarg.arg if arguments.kwarg is not None else None)


@dataclass(frozen=True, slots=True)
class Sample:
    """Inputs of one proof: the argument text of a call, and of the constructor for a module."""

    call: str
    init: str | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """A finding that every use of an entry raises although it is rewritten."""

    code: str
    message: str
    severity: str = "note"


@dataclass(frozen=True, slots=True)
class Limit:
    """A known gap of the target, run as a strict expected failure."""

    reason: str
    backend: str = "CPU"
    modes: tuple[str, ...] = ("graph", "pynative")
    dtypes: tuple[str, ...] = ()
    samples: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Overload:
    """One spelling of a call and what it becomes: one of target, emit, drop and manual.

    `fields` names the tensors of a result that is a named tuple in torch.
    """

    signature: Signature | None = None
    target: str | None = None
    emit: str | None = None
    drop: bool = False
    manual: str | None = None
    positional: int = 1
    rename: AbstractMapping[str, str] = field(default_factory=_empty)
    defaults: AbstractMapping[str, str] = field(default_factory=_empty)
    coerce: AbstractMapping[str, str] = field(default_factory=_empty)
    ignore: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    only: AbstractMapping[str, tuple[str, ...]] = field(default_factory=_empty)
    types: AbstractMapping[str, str] = field(default_factory=_empty)
    result: str = "tensor"
    fields: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """What porter knows of one torch name; `source` is the TOML file that says it.

    `manual` says why there is no way; `graph_manual` why there is none inside a graph. `settable`
    names the runtime function that sets a module's parameter from outside. `shares` tells that the
    result may be the first argument, or a view of it. `base` is the class that a source class
    derives from in the port: it takes torch's arguments and has torch's attributes. `passed_on` is
    the class that stands for the name where it is a value: it takes torch's arguments.
    `graph_target` is what code inside a graph reads in place of the target. `attributes` says how
    what a module was made with is read off its Cell, where that is another name or value; empty
    where the Cell does not say it. `config_defaults` names the parameters that a decorator fills
    from `self.config` where they are left out.
    `contents` is the attribute that a graph reads in place of a module that holds parameters:
    gradients do not pass through the `__getitem__` of a Cell. `nan_differs` tells that a nan comes
    out elsewhere than in torch: kernels of the CPU compare, and pass over it. `state` names the
    Parameters of `base` that torch updates in place.
    """

    name: str
    kind: str
    source: str
    overloads: tuple[Overload, ...]
    difference: str
    manual: str | None = None
    graph_manual: str | None = None
    notes: str = ""
    graph_only: bool = False
    shares: bool = False
    state: tuple[str, ...] = ()
    base: str | None = None
    passed_on: str | None = None
    graph_target: str | None = None
    config_defaults: tuple[str, ...] = ()
    attributes: AbstractMapping[str, str] = field(default_factory=_empty)
    contents: str | None = None
    nan_differs: bool = False
    finding: Raised | None = None
    weights: AbstractMapping[str, str] = field(default_factory=_empty)
    transforms: AbstractMapping[str, str] = field(default_factory=_empty)
    settable: AbstractMapping[str, str] = field(default_factory=_empty)
    limits: tuple[Limit, ...] = ()
    compare: str = "close"
    tolerance: AbstractMapping[str, Any] = field(default_factory=_empty)
    drop_attributes: tuple[str, ...] = ()
    drop_methods: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def general(self) -> Overload | None:
        """The spelling that stands for the name itself: the first that takes every kind."""
        first = self.overloads[0] if self.overloads else None
        return next((overload for overload in self.overloads if not overload.types), first)

    @property
    def target(self) -> str | None:
        """The MindSpore name of the general spelling, where it names one."""
        return self.general.target if self.general else None

    @property
    def drop(self) -> bool:
        return bool(self.overloads) and self.overloads[0].drop
