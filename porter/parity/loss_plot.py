"""Draw the losses of both sides as an SVG, for a page that cannot run a script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from porter.pages.render import render
from porter.parity.losses import relative_difference
from porter.parity.results import LossRun

WIDTH, HEIGHT, LEFT, RIGHT = 720, 460, 70, 20
_LOSSES = (50, 290)
_DIFFERENCES = (330, 420)


def loss_svg(run: LossRun, *, inside: bool = False) -> str:
    """Return the losses over the steps, and below the relative difference on a logarithmic scale.

    `inside` an HTML page it needs no namespace.
    Raises PorterError (PRT703) where jinja2 is not installed.
    """
    steps = len(run.torch)
    finite = [value for value in (*run.torch, *run.port) if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    low = 0.0 if low >= 0 else low
    differences = [relative_difference(*pair) for pair in zip(run.torch, run.port, strict=False)]
    powers = [math.log10(value) if value > 0 else math.nan for value in differences]
    limit = math.log10(run.tolerance) if run.tolerance else None
    shown = [value for value in powers if math.isfinite(value)]
    shown += [] if limit is None else [limit]
    foot, top = math.floor(min(shown, default=-7)), math.ceil(max(shown, default=-3)) + 1
    ticks = _ticks(low, high)
    decades = range(foot, top + 1, max(1, (top - foot) // 4))
    return render(
        "losses.svg.j2",
        run=run,
        inside=inside,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        torch=_points(run.torch, steps, low, high, _LOSSES),
        port=_points(run.port, steps, low, high, _LOSSES),
        difference=_points(powers, steps, foot, top, _DIFFERENCES),
        limit=None if limit is None else _height(limit, foot, top, _DIFFERENCES),
        losses=[(f"{value:g}", _height(value, low, high, _LOSSES)) for value in ticks],
        decades=[(f"1e{value}", _height(value, foot, top, _DIFFERENCES)) for value in decades],
        steps=[(step, _place(step, steps)) for step in _step_ticks(steps)],
        bottom=_DIFFERENCES[1],
    )


def _place(step: int, steps: int) -> float:
    return round(LEFT + (step - 1) / max(1, steps - 1) * (WIDTH - LEFT - RIGHT), 2)


def _height(value: float, low: float, high: float, panel: tuple[int, int]) -> float:
    share = (value - low) / (high - low) if high > low else 0.5
    return round(panel[1] - share * (panel[1] - panel[0]), 2)


def _points(
    values: Sequence[float], steps: int, low: float, high: float, panel: tuple[int, int]
) -> str:
    """Return the points of a line; what is no number leaves none."""
    return " ".join(
        f"{_place(step, steps)},{_height(value, low, high, panel)}"
        for step, value in enumerate(values, 1)
        if math.isfinite(value)
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return some four round numbers within bounds."""
    rough = (high - low) / 4 or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step)
    return [round(number * step, 12) for number in range(first, math.floor(high / step) + 1)]


def _step_ticks(steps: int) -> list[Any]:
    every = max(1, steps // 5)
    return [1, *range(every, steps + 1, every)] if every > 1 else list(range(1, steps + 1))
