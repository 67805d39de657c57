"""Read one table of a recipe key by key, and refuse what is unknown or of the wrong kind."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from porter.types import PorterError


def bad_value(where: str, message: str, hint: str | None = None) -> NoReturn:
    """Raise PRT703 for the value at the key path `where`."""
    raise PorterError("PRT703", f"{where}: {message}", hint=hint)


class Fields:
    """Hand out the values of a table; `finish` refuses the keys that nobody asked for.

    `where` is the key path that messages name. Every method raises PorterError PRT703 where the
    value is of another kind than asked for.
    """

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, Mapping):
            bad_value(where, f"must be a table, not {data!r}")
        self.data: Mapping[str, Any] = data
        self.where = where
        self.known: list[str] = []

    def path(self, key: str) -> str:
        """Return the full key path of `key`."""
        return f"{self.where}.{key}" if self.where else key

    def take(self, key: str, default: Any = None) -> Any:
        """Return the value as it is."""
        self.known.append(key)
        return self.data.get(key, default)

    def text(self, key: str, default: str | None = None) -> str | None:
        """Return a string."""
        value = self.take(key, default)
        if value is not None and not isinstance(value, str):
            bad_value(self.path(key), f"must be a string, not {value!r}")
        return value

    def required_text(self, key: str) -> str:
        """Return a string that must be there."""
        value = self.text(key)
        if value is None:
            bad_value(self.path(key), "is missing")
        return value

    def choice(self, key: str, default: str, allowed: Sequence[str]) -> str:
        """Return one of the strings in `allowed`."""
        value = self.take(key, default)
        if value not in allowed:
            bad_value(self.path(key), f"must be one of {', '.join(allowed)}, not {value!r}")
        return str(value)

    def boolean(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            bad_value(self.path(key), f"must be true or false, not {value!r}")
        return value

    def integer(self, key: str, default: int) -> int:
        """Return an integer that is not negative."""
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            bad_value(self.path(key), f"must be an integer that is not negative, not {value!r}")
        return value

    def number(self, key: str, default: float) -> float:
        """Return a finite number that is not negative."""
        value = self.take(key, default)
        finite = isinstance(value, int | float) and not isinstance(value, bool)
        if not finite or not 0 <= value < float("inf"):
            bad_value(self.path(key), f"must be a number that is not negative, not {value!r}")
        return float(value)

    def optional_number(self, key: str) -> float | None:
        """Return a finite number that is not negative, None where the key is not there."""
        if self.take(key) is None:
            return None
        return self.number(key, 0.0)

    def texts(
        self, key: str, default: Sequence[str] = (), allowed: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """Return a list of strings, each one of `allowed` where that is given."""
        value = self.take(key, list(default))
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            bad_value(self.path(key), f"must be a list of strings, not {value!r}")
        for item in value:
            if allowed is not None and item not in allowed:
                bad_value(self.path(key), f"may hold {', '.join(allowed)}, not {item!r}")
        return tuple(value)

    def table(self, key: str) -> dict[str, Any]:
        """Return a table, empty where the key is not there."""
        value = self.take(key, {})
        if not isinstance(value, Mapping):
            bad_value(self.path(key), f"must be a table, not {value!r}")
        return dict(value)

    def items(self, key: str) -> list[Any]:
        """Return a list, empty where the key is not there."""
        value = self.take(key, [])
        if not isinstance(value, list):
            bad_value(self.path(key), f"must be a list, not {value!r}")
        return value

    def finish(self) -> None:
        """Raise PRT702 for the first key that nobody asked for."""
        for key in self.data:
            if key in self.known:
                continue
            close = difflib.get_close_matches(key, self.known, n=1, cutoff=0.5)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(self.known)}"
            raise PorterError("PRT702", f"{self.path(key)}: there is no such key", hint=hint)
