"""Compute torch's transposed convolutions, folding and bilinear forms."""

# ruff: noqa: A002

from __future__ import annotations

from mindspore import Tensor, ops


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    output_padding: int | tuple[int, int] = 0,
    groups: int = 1,
    dilation: int | tuple[int, int] = 1,
) -> Tensor:
    """Convolve [batch, in, height, width] transposed with [in, out / groups, height, width].

    All sizes but the batch are known when compiling.
    """
    steps, dilations = _pair(stride), _pair(dilation)
    pads, extra = _pair(padding), _pair(output_padding)
    kernel = (weight.shape[2], weight.shape[3])
    sizes = []
    for axis in range(2):
        grown = (input.shape[axis + 2] - 1) * steps[axis] - 2 * pads[axis] + extra[axis]
        sizes.append(grown + dilations[axis] * (kernel[axis] - 1) + 1)
    transpose = ops.Conv2DTranspose(
        input.shape[1],
        kernel,
        pad_mode="pad",
        pad=(pads[0], pads[0] - extra[0], pads[1], pads[1] - extra[1]),
        stride=steps,
        dilation=dilations,
        group=groups,
    )
    shape = (input.shape[0], weight.shape[1] * groups, sizes[0], sizes[1])
    result = transpose(input, weight, shape)
    return result if bias is None else result + ops.reshape(bias, (1, -1, 1, 1))


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | tuple[int] = 1,
    padding: int | tuple[int] = 0,
    output_padding: int | tuple[int] = 0,
    groups: int = 1,
    dilation: int | tuple[int] = 1,
) -> Tensor:
    """Convolve [batch, in, length] transposed with [in, out / groups, length]."""
    result = conv_transpose2d(
        ops.expand_dims(input, 2),
        ops.expand_dims(weight, 2),
        bias,
        (1, _first(stride)),
        (0, _first(padding)),
        (0, _first(output_padding)),
        groups,
        (1, _first(dilation)),
    )
    return ops.squeeze(result, 2)


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return [..., out], the sum of products of [..., first] and [..., second] with each weight."""
    products = ops.matmul(input1, ops.reshape(ops.swapaxes(weight, 0, 1), (weight.shape[1], -1)))
    shape = (*input1.shape[:-1], weight.shape[0], weight.shape[2])
    result = ops.sum(ops.reshape(products, shape) * ops.expand_dims(input2, -2), -1)
    return result if bias is None else result + bias


def _pair(value: int | tuple[int, int]) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def _first(value: int | tuple[int]) -> int:
    return value if isinstance(value, int) else value[0]
