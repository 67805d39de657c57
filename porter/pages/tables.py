"""Hold the tables of an HTML page: what their cells show, and what they are sorted by."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows, and the number it is sorted by; texts are sorted as they read."""

    text: str
    number: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's header; `title` explains it."""

    name: str
    numeric: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table, with its verdict: `code` is empty where it holds."""

    cells: tuple[Cell, ...]
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class PageTable:
    """One section of the page. `verdict` tells whether its rows hold or not."""

    key: str
    title: str
    about: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    verdict: bool = True

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that occur, for the filter."""
        return tuple(sorted({line.code for line in self.lines if line.code}))


def figure(value: float | None, pattern: str = ".1e") -> Cell:
    """Return a number for a column of figures; a nan sorts as the worst one can be."""
    if value is None:
        return Cell("")
    if not math.isfinite(value):
        return Cell(str(value), "-Infinity" if value < 0 else "Infinity")
    return Cell(format(value, pattern) if value else "0", repr(float(value)), repr(value))


def texts(*values: str) -> tuple[Cell, ...]:
    """Return cells that show texts."""
    return tuple(Cell(value) for value in values)
