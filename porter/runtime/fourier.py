"""Transform along several axes one after another, and in short pieces, as torch.fft does.

`ops.hfft` and `ops.ihfft` give wrong values in every second call in PYNATIVE mode.
"""

# ruff: noqa: A002

from __future__ import annotations

from mindspore import Tensor, ops

from .shaping import pad, unfold_dimension


def _axes(
    input: Tensor, s: tuple[int, ...] | None, dim: tuple[int, ...] | None
) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
    """Return the axes to transform, and the length of each, None for its own."""
    count = input.ndim if s is None else len(s)
    axes = tuple(range(input.ndim - count, input.ndim)) if dim is None else tuple(dim)
    return axes, (None,) * len(axes) if s is None else tuple(s)


def _opposite(norm: str | None) -> str:
    """Return the scale of the opposite direction."""
    return {"forward": "backward", "ortho": "ortho"}.get(norm or "backward", "forward")


def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Return the real transform of a Hermitian signal, of which one half is given."""
    return ops.irfft(ops.conj(input), n, dim, _opposite(norm))


def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Return the inverse of `hfft`: half of a Hermitian signal, from a real one."""
    return ops.conj(ops.rfft(input, n, dim, _opposite(norm)))


def hfftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the real transform of a signal that is Hermitian along the last of the axes."""
    axes, sizes = _axes(input, s, dim)
    result = input
    for place in range(len(axes) - 1):
        result = ops.fft(result, sizes[place], axes[place], norm)
    return hfft(result, sizes[-1], axes[-1], norm)


def hfft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] = (-2, -1),
    norm: str | None = None,
) -> Tensor:
    """Return `hfftn` over two axes."""
    return hfftn(input, s, dim, norm)


def ihfftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the inverse of `hfftn`: half of a Hermitian signal, from a real one."""
    axes, sizes = _axes(input, s, dim)
    result = ihfft(input, sizes[-1], axes[-1], norm)
    for place in range(len(axes) - 1):
        result = ops.ifft(result, sizes[place], axes[place], norm)
    return result


def ihfft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] = (-2, -1),
    norm: str | None = None,
) -> Tensor:
    """Return `ihfftn` over two axes."""
    return ihfftn(input, s, dim, norm)


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
) -> Tensor:
    """Return the transforms [..., frequency, piece] of the pieces of a real signal, complex."""
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    signal = pad(input, (n_fft // 2, n_fft // 2), pad_mode) if center else input
    pieces = unfold_dimension(signal, -1, n_fft, hop)
    if window is not None or length != n_fft:
        shape = ops.ones((length,), dtype=input.dtype) if window is None else window
        before = (n_fft - length) // 2
        pieces = pieces * pad(shape, (before, n_fft - length - before))
    if onesided is None or onesided:
        result = ops.rfft(pieces, n_fft, -1, "ortho" if normalized else "backward")
    else:
        result = ops.fft(pieces, n_fft, -1, "ortho" if normalized else "backward")
    return ops.swapaxes(result, -1, -2)
