"""Hold parameters in lists and dictionaries under torch's names, and put lists into one.

A graph reads `held`: no gradient passes through the `__getitem__` of a Cell.
"""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mindspore import Parameter, nn


class ParameterList(nn.Cell):
    """Hold parameters by number; they are called 0, 1, 2, ..."""

    def __init__(self, values: Iterable[Parameter] | None = None) -> None:
        super().__init__()
        self.held: tuple[Parameter, ...] = ()
        self.extend([] if values is None else values)

    def append(self, value: Parameter) -> ParameterList:
        """Add one parameter at the end."""
        self.insert_param_to_cell(str(len(self.held)), value)
        self.held = (*self.held, value)
        return self

    def extend(self, values: Iterable[Parameter]) -> ParameterList:
        """Add parameters at the end."""
        for value in values:
            self.append(value)
        return self

    def __len__(self) -> int:
        return len(self.held)

    def __getitem__(self, index: int) -> Parameter:
        return self.held[index]

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.held)


class ParameterDict(nn.Cell):
    """Hold parameters by name."""

    def __init__(self, parameters: Mapping[str, Parameter] | None = None) -> None:
        super().__init__()
        self.held: dict[str, Parameter] = {}
        for key, value in ({} if parameters is None else parameters).items():
            self[key] = value

    def __setitem__(self, key: str, value: Parameter) -> None:
        self.insert_param_to_cell(key, value, check_name_contain_dot=False)
        self.held[key] = value

    def __getitem__(self, key: str) -> Parameter:
        return self.held[key]

    def __len__(self) -> int:
        return len(self.held)

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self.held)


class Sequential(nn.SequentialCell):
    """Call cells one after the other, those that are set as attributes too, as torch does."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, nn.Cell):
            self.cell_list = list(self._cells.values())


class ModuleList(nn.CellList):
    """Start empty, and name the parameters of what is added by where the list is held."""

    def __init__(self) -> None:
        super().__init__()
        self.place = ""

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Take in that the list is held under a name."""
        super().update_parameters_name(prefix, recurse)
        self.place = prefix + self.place

    def append(self, cell: nn.Cell) -> None:
        """Add one cell at the end."""
        name = str(len(self))
        cell.update_parameters_name(f"{self.place}{name}.")
        self._cells[name] = cell

    def extend(self, cells: Iterable[nn.Cell]) -> ModuleList:
        """Add cells at the end."""
        for cell in cells:
            self.append(cell)
        return self


class ModuleDict(nn.Cell):
    """Hold cells by name, for classes that add a construct of their own: `nn.CellDict` has none."""

    def __init__(self, modules: Mapping[str, nn.Cell] | None = None) -> None:
        super().__init__()
        self.held: list[nn.Cell] = []
        for name, module in ({} if modules is None else modules).items():
            self[name] = module

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, nn.Cell):
            self.held = list(self._cells.values())
            self.names = tuple(self._cells)

    def __setitem__(self, name: str, module: nn.Cell) -> None:
        setattr(self, name, module)

    def __getitem__(self, name: str) -> nn.Cell:
        return self._cells[name]

    def __len__(self) -> int:
        return len(self.held)

    def keys(self) -> tuple[str, ...]:
        """Return the names in the order in which cells were added."""
        return self.names

    def values(self) -> list[nn.Cell]:
        """Return the cells in the order in which they were added."""
        return self.held

    def items(self) -> list[tuple[str, nn.Cell]]:
        """Return names and cells in the order in which they were added."""
        return list(zip(self.names, self.held))  # noqa: B905 - no graph knows `strict`


def add_module(owner: nn.Cell, name: str, module: nn.Cell | None) -> None:
    """Give a cell an inner cell; a `nn.SequentialCell` calls it after those that it has.

    Where there was one of that name, the parameters get the names of the place.
    """
    named = list(owner._cells[name].parameters_and_names()) if owner._cells.get(name) else []
    setattr(owner, name, module)
    if named and module is not None:
        local, parameter = named[0]
        place = parameter.name.removesuffix(local)
        for inner, own in module.parameters_and_names():
            own.name = place + inner
    if isinstance(owner, nn.SequentialCell) and module is not None:
        owner.cell_list = list(owner._cells.values())


def flat(lists: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the items of all lists as one list."""
    result = []
    for part in lists:
        for item in part:
            result.append(item)  # noqa: PERF402 - a graph has no extend
    return result


def united(first: dict[Any, Any], second: dict[Any, Any]) -> dict[Any, Any]:
    """Return the items of both dictionaries; where both have a key, the value of the second."""
    result = {}
    for key, value in first.items():
        result[key] = value  # noqa: PERF403 - a graph has no comprehension of items
    for key, value in second.items():
        result[key] = value  # noqa: PERF403
    return result
