"""Follow the instructions of a pickle without carrying out what it asks for.

A pickle is a program for a stack machine. This one knows plain containers, numbers and text; a name
that the pickle imports stays a name, and a call of it gets its meaning from whoever reads, or is
refused. Nothing is imported and nothing is run, whatever the file holds.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO


class DamagedPickleError(Exception):
    """The bytes are no pickle, or one that no pickler writes."""


@dataclass(frozen=True, slots=True)
class Name:
    """An importable name that the pickle mentions; it is not imported."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


Call = Callable[[Name, tuple[Any, ...]], Any]
Persistent = Callable[[Any], Any]
_KEYS = (str, int, float, bytes, type(None))
_MARK = object()
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY: dict[str, Callable[[], Any]] = {
    "EMPTY_DICT": dict,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
    "EMPTY_SET": set,
}
_VALUES = frozenset(
    {"INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"}
    | {"UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"}
    | {"STRING", "BINSTRING", "SHORT_BINSTRING"}
    | {"BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"}
)
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


def follow_pickle(file: BinaryIO, call: Call, persistent: Persistent) -> Any:
    """Return what one pickle describes and leave `file` behind it.

    `call` gives the meaning of a call or of an object of a class, `persistent` that of a reference.
    Both may raise. Raises DamagedPickleError.
    """
    machine = _Machine(call, persistent)
    try:
        for opcode, argument, _ in pickletools.genops(file):
            machine.step(opcode.name, argument)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise DamagedPickleError(f"{type(error).__name__}: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise DamagedPickleError(type(error).__name__) from error
    return machine.result()


class _Machine:
    def __init__(self, call: Call, persistent: Persistent) -> None:
        self.call = call
        self.persistent = persistent
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def result(self) -> Any:
        if len(self.stack) != 1:
            raise DamagedPickleError("it leaves more than one value")
        return self.stack[0]

    def step(self, code: str, argument: Any) -> None:
        if code in _VALUES:
            self.stack.append(argument)
        elif code in _CONSTANTS:
            self.stack.append(_CONSTANTS[code])
        elif code in _EMPTY:
            self.stack.append(_EMPTY[code]())
        elif code in _TUPLES:
            count = _TUPLES[code]
            self.stack.append(tuple(self.pop() for _ in range(count))[::-1])
        else:
            handler = getattr(self, f"_{code.lower()}", None)
            if handler is None:
                raise DamagedPickleError(f"it uses the instruction {code}")
            handler(argument)

    def pop(self) -> Any:
        value = self.stack.pop()
        if value is _MARK:
            raise DamagedPickleError("a mark stands where a value must")
        return value

    def since_mark(self) -> list[Any]:
        for index in range(len(self.stack) - 1, -1, -1):
            if self.stack[index] is _MARK:
                values = self.stack[index + 1 :]
                del self.stack[index:]
                return values
        raise DamagedPickleError("a mark is missing")

    def top(self, kind: type) -> Any:
        value = self.stack[-1]
        if type(value) is not kind:
            raise DamagedPickleError(f"{type(value).__name__} stands where {kind.__name__} must")
        return value

    def _proto(self, version: Any) -> None:
        if not 0 <= version <= 5:
            raise DamagedPickleError(f"it has protocol {version}")

    def _frame(self, _size: Any) -> None:
        pass

    def _stop(self, _argument: Any) -> None:
        pass

    def _mark(self, _argument: Any) -> None:
        self.stack.append(_MARK)

    def _pop(self, _argument: Any) -> None:
        self.stack.pop()

    def _pop_mark(self, _argument: Any) -> None:
        self.since_mark()

    def _dup(self, _argument: Any) -> None:
        self.stack.append(self.stack[-1])

    def _tuple(self, _argument: Any) -> None:
        self.stack.append(tuple(self.since_mark()))

    def _list(self, _argument: Any) -> None:
        self.stack.append(self.since_mark())

    def _dict(self, _argument: Any) -> None:
        values = self.since_mark()
        self.stack.append({})
        self._fill(values)

    def _append(self, _argument: Any) -> None:
        value = self.pop()
        self.top(list).append(value)

    def _appends(self, _argument: Any) -> None:
        values = self.since_mark()
        self.top(list).extend(values)

    def _setitem(self, _argument: Any) -> None:
        value, key = self.pop(), self.pop()
        self._fill([key, value])

    def _setitems(self, _argument: Any) -> None:
        self._fill(self.since_mark())

    def _fill(self, values: list[Any]) -> None:
        target = self.top(dict)
        for key, value in zip(values[::2], values[1::2], strict=True):
            # The hash of nested tuples can take for ever.
            if not isinstance(key, _KEYS):
                raise DamagedPickleError(f"a key is {type(key).__name__}")
            if key in target:
                raise DamagedPickleError(f"it holds {key!r:.80} twice")
            target[key] = value

    def _additems(self, _argument: Any) -> None:
        values = self.since_mark()
        target = self.top(set)
        for value in values:
            if not isinstance(value, _KEYS):
                raise DamagedPickleError(f"a set holds {type(value).__name__}")
            target.add(value)

    def _put(self, index: Any) -> None:
        self.memo[int(index)] = self.stack[-1]

    _binput = _long_binput = _put

    def _memoize(self, _argument: Any) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def _get(self, index: Any) -> None:
        self.stack.append(self.memo[int(index)])

    _binget = _long_binget = _get

    def _global(self, argument: Any) -> None:
        module, _, name = argument.partition(" ")
        self.stack.append(Name(module, name))

    def _stack_global(self, _argument: Any) -> None:
        name, module = self.pop(), self.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise DamagedPickleError("a global has no name")
        self.stack.append(Name(module, name))

    def _reduce(self, _argument: Any) -> None:
        arguments, callee = self.pop(), self.pop()
        self.stack.append(self._called(callee, arguments))

    _newobj = _reduce

    def _newobj_ex(self, _argument: Any) -> None:
        self.pop()
        self._reduce(None)

    def _inst(self, argument: Any) -> None:
        values = self.since_mark()
        module, _, name = argument.partition(" ")
        self.stack.append(self._called(Name(module, name), tuple(values)))

    def _obj(self, _argument: Any) -> None:
        callee, *values = self.since_mark()
        self.stack.append(self._called(callee, tuple(values)))

    def _called(self, callee: Any, arguments: Any) -> Any:
        if not isinstance(callee, Name) or not isinstance(arguments, tuple):
            raise DamagedPickleError("it calls what has no name")
        return self.call(callee, arguments)

    def _build(self, _argument: Any) -> None:
        # The state of an object: attributes such as `_metadata` of a state dict, which are no
        # tensors of it.
        self.pop()
        if not self.stack or self.stack[-1] is _MARK:
            raise DamagedPickleError("a state has no object")

    def _persid(self, argument: Any) -> None:
        self.stack.append(self.persistent(argument))

    def _binpersid(self, _argument: Any) -> None:
        self.stack.append(self.persistent(self.pop()))
