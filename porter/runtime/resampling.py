"""Resize as torch.nn.functional.interpolate does, by one weight matrix an axis.

`ops.interpolate` is wrong for bicubic without aligned corners, has no antialiasing, and takes few
of torch's spellings. A weight matrix is exact in every mode, and differentiable.
"""

# ruff: noqa: A002

from __future__ import annotations

from typing import Any

import mindspore as ms
from mindspore import Tensor, ops


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
    axes = input.ndim - 2
    _check(mode, axes, align_corners, antialias)
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate takes either size or scale_factor")
    result = input if input.dtype == ms.float64 else input.astype(ms.float32)
    for position in range(axes):
        old = input.shape[position + 2]
        if size is None:
            factor = _item(scale_factor, position)
            new = int(old * factor)
            step = old / new if recompute_scale_factor else 1.0 / factor
        else:
            new = int(_item(size, position))
            step = old / new
        if mode == "area":
            weights = _area(old, new)
        elif align_corners:
            step = (old - 1) / (new - 1) if new > 1 else 0.0
            weights = _weights(mode, old, ops.arange(0, new).astype(ms.float32) * step)
        elif antialias:
            weights = _antialiased(mode, old, new, step)
        else:
            weights = _weights(mode, old, _centres(mode, new, step))
        axis = position + 2
        moved = ops.swapaxes(result, axis, -1)
        resized = ops.matmul(moved, ops.swapaxes(weights, 0, 1).astype(result.dtype))
        result = ops.swapaxes(resized, axis, -1)
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


def _centres(mode: str, new: int, step: float) -> Tensor:
    """Return where the new positions lie on the old axis."""
    positions = ops.arange(0, new).astype(ms.float32)
    if mode == "nearest":
        return ops.floor(positions * step)
    if mode == "nearest-exact":
        return ops.floor((positions + 0.5) * step)
    centres = (positions + 0.5) * step - 0.5
    return centres if mode == "bicubic" else ops.relu(centres)


def _weights(mode: str, old: int, centres: Tensor) -> Tensor:
    """Return [new, old], the weights of the old positions around each centre."""
    first = ops.floor(centres)
    share = (centres - first).expand_dims(-1)
    if mode == "nearest" or mode == "nearest-exact":
        return _at(first, old)
    if mode != "bicubic":
        return (1.0 - share) * _at(first, old) + share * _at(first + 1, old)
    weights = _cubic(share + 1.0, -0.75) * _at(first - 1, old)
    weights = weights + _cubic(share, -0.75) * _at(first, old)
    weights = weights + _cubic(1.0 - share, -0.75) * _at(first + 1, old)
    return weights + _cubic(2.0 - share, -0.75) * _at(first + 2, old)


def _at(index: Tensor, old: int) -> Tensor:
    """Return [new, old] with a 1 at each index, those outside moved to the border."""
    inside = ops.clamp(index, 0.0, old - 1.0).expand_dims(-1)
    return (inside == ops.arange(0, old).astype(ms.float32)).astype(ms.float32)


def _cubic(distance: Tensor, a: float) -> Tensor:
    """Return the convolution kernel of bicubic resizing at distances from 0."""
    near = ((a + 2.0) * distance - (a + 3.0)) * distance * distance + 1.0
    far = ((a * distance - 5.0 * a) * distance + 8.0 * a) * distance - 4.0 * a
    outside = ops.zeros_like(distance)
    return ops.where(distance <= 1.0, near, ops.where(distance < 2.0, far, outside))


def _antialiased(mode: str, old: int, new: int, step: float) -> Tensor:
    """Return [new, old] with the kernel widened by the step, so that shrinking averages."""
    width = step if step > 1.0 else 1.0
    centres = ((ops.arange(0, new).astype(ms.float32) + 0.5) * step).expand_dims(-1)
    distance = ops.abs(ops.arange(0, old).astype(ms.float32) + 0.5 - centres) / width
    weights = _cubic(distance, -0.5) if mode == "bicubic" else ops.relu(1.0 - distance)
    return weights / ops.sum(weights, -1, True)


def _area(old: int, new: int) -> Tensor:
    """Return [new, old] with equal weights for the old positions under each new one."""
    positions = ops.arange(0, new).expand_dims(-1)
    start = positions * old // new
    stop = ((positions + 1) * old + new - 1) // new
    index = ops.arange(0, old)
    covered = ops.logical_and(index >= start, index < stop).astype(ms.float32)
    return covered / ops.sum(covered, -1, True)
