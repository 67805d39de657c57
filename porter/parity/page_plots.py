"""Turn module errors and histograms into plain data that the HTML page plots."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

from porter.parity.results import Histogram, ModuleRow, ModuleRun


def module_plot(run: ModuleRun) -> dict[str, Any] | None:
    """Return error against depth for the calls that were compared; None where there are none.

    A logarithm has no place for an exact value nor for one that is not finite: these stand one
    decade below and above all others, with a sign of their own, and the text says what they are.
    """
    depths = [index for index, row in enumerate(run.rows) if row.port_error is not None]
    if not depths:
        return None
    rows = [run.rows[index] for index in depths]
    pairs = [
        (_relative(row.torch_error, row.scale), _relative(row.port_error, row.scale))
        for row in rows
    ]
    plain = [value for pair in pairs for value in pair if value and math.isfinite(value)]
    foot = 10.0 ** (math.floor(math.log10(min(plain, default=1.0))) - 1)
    top = 10.0 ** (math.ceil(math.log10(max(plain, default=1.0))) + 1)
    place = run.location and (run.location.path, run.location.call)
    located = [(row.path, row.call) for row in rows]
    return {
        "kind": "modules",
        "x": [index + 1 for index in depths],
        "torch": _marks([pair[0] for pair in pairs], foot, top),
        "port": _marks([pair[1] for pair in pairs], foot, top),
        "limit": [_inside(_relative(row.limit, row.scale), foot, top) for row in rows],
        "text": [_hover(row) for row in rows],
        "located": located.index(place) if place in located else None,
    }


def histogram_plot(histogram: Histogram) -> dict[str, Any]:
    """Return both sides' counts as steps over the decades of the error."""
    decades = histogram.edges[-1] - histogram.edges[0] if histogram.edges else 0.0
    return {
        "kind": "histogram",
        "x": list(histogram.edges),
        "torch": [*histogram.torch, 0],
        "port": [*histogram.port, 0],
        "tick": max(1, math.ceil(decades / 10)),
    }


def _relative(value: float | None, scale: float | None) -> float | None:
    if value is None or scale is None:
        return None
    if math.isnan(value):
        return math.inf
    return value / scale if scale else (math.inf if value else 0.0)


def _inside(value: float | None, foot: float, top: float) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return min(max(value, foot), top)


def _marks(values: Sequence[float | None], foot: float, top: float) -> dict[str, Any]:
    """Return where each value stands, and its sign: a ring for exact, a cross for not finite."""
    heights: list[float | None] = []
    symbols = []
    for value in values:
        finite = value is None or math.isfinite(value)
        heights.append((value if value is None else value or foot) if finite else top)
        symbols.append("x" if not finite else "circle" if value else "circle-open")
    return {"y": heights, "symbol": symbols}


def _hover(row: ModuleRow) -> str:
    """Return the text beside the pointer. Plotly reads it as HTML of its own."""
    name = html.escape(row.path or "(the model)", quote=False)
    lines = [f"<b>{name}</b>", f"{html.escape(row.class_name, quote=False)}, call {row.call}"]
    for side, value in (("PyTorch", row.torch_error), ("port", row.port_error)):
        if value is not None:
            lines.append(f"{side} error {value:.2g}" if value else f"{side} exact")
    if row.scale is not None:
        lines.append(f"scale {row.scale:.2g}")
    if row.code:
        lines.append(html.escape(row.code, quote=False))
    if not row.inputs_agree:
        lines.append("inputs differ already")
    return "<br>".join(lines)
