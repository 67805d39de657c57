"""Define the closed set of changes that a plan may ask of the rewriter."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

Value = ast.expr | tuple[ast.expr, ...]


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace an expression by a template; `{name}` stands for the rewritten source of a value.

    A call argument of the template whose value is missing is left out; a missing value elsewhere is
    filled from `defaults`. A tuple of values becomes one tuple expression.
    """

    template: str
    values: dict[str, Value] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToDict:
    """Replace a call by a dict display of its arguments, positional ones first; layout kept."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """Give a function, class or attribute another name."""

    name: str


@dataclass(frozen=True, slots=True)
class Drop:
    """Remove a statement, decorator, annotation or keyword argument."""


@dataclass(frozen=True, slots=True)
class Unwrap:
    """Replace a `with`, `if` or `try` statement by the statements of its body."""


@dataclass(frozen=True, slots=True)
class KeepElse:
    """Replace an `if` whose test is known to be false by its else part."""


@dataclass(frozen=True, slots=True)
class KeepHandler:
    """Replace a `try` whose body is known to fail by the statements of one of its handlers."""

    position: int


@dataclass(frozen=True, slots=True)
class ReplaceStatement:
    """Replace a simple statement by one written as a template."""

    template: str
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Replace a method by one of its name that raises NotImplementedError, whatever it is given."""

    message: str
    decorators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassBody:
    """Insert statements at the start of a class body, after its docstring."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Before:
    """Insert statements, written as templates, before a statement."""

    lines: tuple[str, ...]
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Enclose:
    """Make a function of statements of a block, and put statements behind it.

    The edit stands at a statement of its own. The function takes the place of the statements from
    `first` to `last`, or stands before `place` where there are none; it begins with `copies` of
    statements that stay where they are, and ends with `result`.
    """

    place: ast.stmt
    first: ast.stmt | None
    last: ast.stmt | None
    header: str
    result: str
    after: tuple[str, ...]
    values: dict[str, Value] = field(default_factory=dict)
    copies: tuple[ast.stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class After:
    """Insert statements, written as templates, after a statement."""

    lines: tuple[str, ...]
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AddParameter:
    """Give a function one more parameter, whose default is None."""

    name: str


Edit = (
    Replace
    | ToDict
    | Rename
    | Drop
    | Unwrap
    | KeepElse
    | KeepHandler
    | LeaveOut
    | ReplaceStatement
    | ClassBody
    | Before
    | Enclose
    | After
    | AddParameter
)
