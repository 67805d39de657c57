"""Resize as torch.nn.functional.interpolate does, by one weight matrix an axis.

`ops.interpolate` is wrong for bicubic without aligned corners, has no antialiasing, and takes few
of torch's spellings. A weight matrix is exact in every mode, and differentiable.
"""

# ruff: noqa: A002

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Iterator
from typing import Any

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import constexpr


def interpolate(
    input: Tensor,
    size: int | tuple[int, ...] | None = None,
    scale_factor: float | tuple[float, ...] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resize the axes after [batch, channels, ...] to a size, or by a factor.

    `mode` is nearest, nearest-exact, linear, bilinear, trilinear, bicubic or area. The sizes of
    these axes are known when compiling. Raises ValueError for another mode or number of axes.
    """
    _check(mode, input.ndim - 2, align_corners, antialias)
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate takes either size or scale_factor")
    result = input if input.dtype == ms.float64 else input.astype(ms.float32)
    for position in range(input.ndim - 2):
        old = input.shape[position + 2]
        if size is None:
            factor = _item(scale_factor, position)
            new = int(old * factor)
            step = old / new if recompute_scale_factor else 1.0 / factor
        else:
            new = int(_item(size, position))
            step = old / new
        weights = _matrix(mode, old, new, step, align_corners is True, antialias)
        moved = ops.swapaxes(result, position + 2, -1)
        result = ops.swapaxes(ops.matmul(moved, weights.astype(result.dtype)), position + 2, -1)
    return result.astype(input.dtype)


def _check(mode: str, axes: int, align_corners: bool | None, antialias: bool) -> None:
    ranks = {"linear": 1, "bilinear": 2, "trilinear": 3, "bicubic": 2}
    if mode in ("nearest", "nearest-exact", "area"):
        if align_corners is not None:
            raise ValueError(f"align_corners has no meaning for mode {mode}")
    elif mode not in ranks or ranks[mode] != axes:
        raise ValueError(f"mode {mode} does not fit an input of {axes + 2} axes")
    if antialias and (mode not in ("bilinear", "bicubic") or align_corners):
        raise ValueError("antialias is for bilinear and bicubic without align_corners")


def _item(value: Any, position: int) -> float:
    return value[position] if isinstance(value, (tuple, list)) else value  # type: ignore[no-any-return]


@constexpr  # type: ignore[untyped-decorator]
def _matrix(mode: str, old: int, new: int, step: float, corners: bool, antialias: bool) -> Tensor:
    """Return [old, new], computed once, when compiling: as operations it would take seconds."""
    return Tensor(_columns(mode, old, new, step, corners, antialias), ms.float32)


@functools.lru_cache(maxsize=64)
def _columns(
    mode: str, old: int, new: int, step: float, corners: bool, antialias: bool
) -> list[list[float]]:
    columns = [[0.0] * new for _ in range(old)]
    if corners:
        step = (old - 1) / (new - 1) if new > 1 else 0.0
    for place in range(new):
        if mode == "area":
            taps = _area(old, new, place)
        elif mode in ("nearest", "nearest-exact"):
            # torch multiplies in float32, which decides where the product is nearly whole.
            centre = place + (0.5 if mode == "nearest-exact" else 0.0)
            taps = iter([(int(_single(centre * _single(step))), 1.0)])
        elif antialias:
            taps = _antialiased(mode, old, (place + 0.5) * step, step)
        else:
            taps = _taps(mode, place * step if corners else (place + 0.5) * step - 0.5)
        for index, weight in taps:
            columns[min(max(index, 0), old - 1)][place] += weight
    return columns


def _single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


def _taps(mode: str, centre: float) -> Iterator[tuple[int, float]]:
    """Yield the old positions around a centre and their weights."""
    if mode != "bicubic":
        centre = max(centre, 0.0)
        first = math.floor(centre)
        yield first, 1.0 - (centre - first)
        yield first + 1, centre - first
        return
    first = math.floor(centre)
    for index in range(first - 1, first + 3):
        yield index, _cubic(abs(centre - index), -0.75)


def _antialiased(mode: str, old: int, centre: float, step: float) -> Iterator[tuple[int, float]]:
    """Yield all old positions, the kernel widened by the step, so that shrinking averages."""
    width = max(step, 1.0)
    weights = []
    for index in range(old):
        distance = abs(index + 0.5 - centre) / width
        weights.append(_cubic(distance, -0.5) if mode == "bicubic" else max(1.0 - distance, 0.0))
    total = sum(weights)
    for index, weight in enumerate(weights):
        yield index, weight / total


def _area(old: int, new: int, place: int) -> Iterator[tuple[int, float]]:
    """Yield the old positions under a new one, with equal weights."""
    start, stop = place * old // new, -(-(place + 1) * old // new)
    for index in range(start, stop):
        yield index, 1.0 / (stop - start)


def _cubic(distance: float, a: float) -> float:
    """Return the convolution kernel of bicubic resizing at a distance from 0."""
    if distance <= 1.0:
        return ((a + 2.0) * distance - (a + 3.0)) * distance * distance + 1.0
    if distance < 2.0:
        return ((a * distance - 5.0 * a) * distance + 8.0 * a) * distance - 4.0 * a
    return 0.0
