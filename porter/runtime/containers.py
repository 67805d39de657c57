"""Hold parameters in lists and dictionaries under torch's names."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mindspore import Parameter, nn


class ParameterList(nn.Cell):
    """Hold parameters by number; they are called 0, 1, 2, ..."""

    def __init__(self, values: Iterable[Parameter] | None = None) -> None:
        super().__init__()
        self.count = 0
        self.extend([] if values is None else values)

    def append(self, value: Parameter) -> ParameterList:
        """Add one parameter at the end."""
        self.insert_param_to_cell(str(self.count), value)
        self.count += 1
        return self

    def extend(self, values: Iterable[Parameter]) -> ParameterList:
        """Add parameters at the end."""
        for value in values:
            self.append(value)
        return self

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Any:
        if index < -self.count or index >= self.count:
            raise IndexError("the list of parameters is shorter")
        return getattr(self, str(index % self.count))

    def __iter__(self) -> Any:
        return iter([self[position] for position in range(self.count)])


class ParameterDict(nn.Cell):
    """Hold parameters by name."""

    def __init__(self, parameters: Mapping[str, Parameter] | None = None) -> None:
        super().__init__()
        for key, value in ({} if parameters is None else parameters).items():
            self.insert_param_to_cell(key, value)

    def __setitem__(self, key: str, value: Parameter) -> None:
        self.insert_param_to_cell(key, value, check_name_contain_dot=False)

    def __getitem__(self, key: str) -> Any:
        if key not in self._params:
            raise KeyError(key)
        return getattr(self, key)

    def __len__(self) -> int:
        return len(self._params)

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self._params)
