"""Compare convolutions, pooling of lines, folding and bilinear forms with torch in every mode."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch.nn.functional as F  # noqa: N812

from porter.runtime import convolution
from porter.runtime.convolution import bilinear, conv_transpose1d, conv_transpose2d

from .support import Call, check, floats

IMAGE = floats(2, 4, 3, 5)
WEIGHT = floats(4, 6, 3, 2, seed=1)
BIAS = floats(6, seed=2)

CASES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("conv1d", (floats(2, 4, 9), floats(6, 2, 3), BIAS), {"groups": 2, "stride": 2, "padding": 1}),
    ("conv1d", (floats(2, 4, 9), floats(6, 4, 4)), {"padding": "same"}),
    ("conv2d", (floats(2, 4, 7, 8), floats(6, 4, 3, 2), BIAS), {"padding": (1, 0)}),
    ("conv2d", (floats(2, 4, 7, 8), floats(6, 4, 3, 2)), {"dilation": 2, "padding": "same"}),
    ("conv2d", (floats(2, 4, 7, 8), floats(6, 4, 3, 2)), {"stride": (2, 1), "padding": "valid"}),
    ("conv3d", (floats(1, 4, 4, 5, 6), floats(6, 4, 2, 3, 2), BIAS), {"stride": 2, "padding": 1}),
    ("max_pool1d", (floats(2, 3, 9),), {"kernel_size": 3, "stride": 2, "padding": 1}),
    ("max_pool1d", (floats(2, 3, 9),), {"kernel_size": 2, "ceil_mode": True}),
    ("unfold", (floats(2, 3, 6, 7),), {"kernel_size": 3}),
    (
        "unfold",
        (floats(2, 3, 6, 8),),
        {"kernel_size": (2, 3), "stride": (1, 2), "padding": (1, 0), "dilation": 2},
    ),
    ("fold", (floats(2, 12, 6),), {"output_size": (4, 6), "kernel_size": 2, "stride": 2}),
    (
        "fold",
        (floats(2, 18, 12),),
        {"output_size": (6, 8), "kernel_size": (2, 3), "stride": (1, 2), "padding": (1, 0)}
        | {"dilation": 2},
    ),
]


@pytest.mark.parametrize(("name", "arrays", "options"), CASES)
def test_function_is_torchs(name: str, arrays: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(
        lambda: Call(getattr(convolution, name), **options),
        lambda *given: getattr(F, name)(*given, **options),
        *arrays,
        static=(-1, -2, -3, -4),
    )


@pytest.mark.parametrize(
    ("arrays", "options"),
    [
        ((IMAGE, WEIGHT), {}),
        ((IMAGE, WEIGHT, BIAS), {"stride": 2, "padding": 1, "output_padding": 1}),
        ((IMAGE, WEIGHT, BIAS), {"stride": (2, 3), "padding": (1, 0), "output_padding": (0, 2)}),
        ((IMAGE, WEIGHT[:, :3]), {"groups": 2, "stride": 2}),
        ((IMAGE, WEIGHT, BIAS), {"dilation": (2, 1)}),
    ],
)
def test_transposed_convolution_is_torchs(arrays: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(
        lambda: Call(conv_transpose2d, **options),
        lambda *given: F.conv_transpose2d(*given, **options),
        *(array.copy() for array in arrays),
        static=(-1, -2, -3),
    )


@pytest.mark.parametrize("options", [{}, {"stride": 2, "padding": 1, "output_padding": 1}])
def test_transposed_convolution_of_a_line_is_torchs(options: dict[str, Any]) -> None:
    check(
        lambda: Call(conv_transpose1d, **options),
        lambda *given: F.conv_transpose1d(*given, **options),
        floats(2, 4, 5),
        floats(4, 6, 3, seed=1),
        BIAS,
        static=(-1, -2),
    )


@pytest.mark.parametrize("axes", [(5,), (2, 5)])
def test_bilinear_form_is_torchs(axes: tuple[int, ...]) -> None:
    check(
        lambda: Call(bilinear),
        F.bilinear,
        floats(*axes, 3),
        floats(*axes, 4, seed=1),
        floats(6, 3, 4, seed=2),
        BIAS,
    )


def test_a_stride_may_be_a_list() -> None:
    x = ms.Tensor(np.random.default_rng(0).standard_normal((1, 2, 6, 6)).astype(np.float32))
    weight = ms.Tensor(np.ones((3, 2, 3, 3), np.float32))
    expected = convolution.conv2d(x, weight, None, (2, 2), 1, (1, 1)).asnumpy()
    actual = convolution.conv2d(x, weight, None, [2, 2], 1, [1, 1])  # type: ignore[arg-type]
    np.testing.assert_allclose(actual.asnumpy(), expected)
