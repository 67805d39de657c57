"""Compare resizing with torch in every mode, gradients included."""

from __future__ import annotations

from typing import Any

import pytest
import torch.nn.functional as F  # noqa: N812
from mindspore import Tensor

from porter.runtime.resampling import interpolate

from .support import Call, check, floats

LINE = floats(2, 3, 5)
IMAGE = floats(2, 3, 5, 7)
VOLUME = floats(1, 2, 3, 4, 5)

CASES: list[tuple[Any, dict[str, Any]]] = [
    (LINE, {"size": 8}),
    (IMAGE, {"scale_factor": 2}),
    (IMAGE, {"size": (3, 4)}),
    (IMAGE, {"scale_factor": (1.7, 0.6), "mode": "nearest-exact"}),
    (VOLUME, {"scale_factor": 2}),
    (LINE, {"size": 3, "mode": "linear"}),
    (IMAGE, {"size": (8, 4), "mode": "bilinear"}),
    (IMAGE, {"size": (8, 4), "mode": "bilinear", "align_corners": True}),
    (IMAGE, {"size": (1, 4), "mode": "bilinear", "align_corners": True}),
    (IMAGE, {"scale_factor": 1.5, "mode": "bilinear", "align_corners": False}),
    (
        IMAGE,
        {"scale_factor": 1.5, "mode": "bilinear", "recompute_scale_factor": True},
    ),
    (VOLUME, {"size": (2, 6, 7), "mode": "trilinear"}),
    (IMAGE, {"size": (7, 9), "mode": "bicubic"}),
    (IMAGE, {"size": (3, 4), "mode": "bicubic", "align_corners": False}),
    (IMAGE, {"size": (7, 9), "mode": "bicubic", "align_corners": True}),
    (IMAGE, {"size": (3, 4), "mode": "area"}),
    (IMAGE, {"size": (7, 9), "mode": "area"}),
    (IMAGE, {"size": (3, 4), "mode": "bilinear", "antialias": True}),
    (IMAGE, {"size": (3, 9), "mode": "bicubic", "antialias": True}),
]


@pytest.mark.parametrize(("array", "options"), CASES)
def test_resizing_is_torchs(array: Any, options: dict[str, Any]) -> None:
    # A size that is not known when compiling would leave the weight matrices unknown.
    axes = tuple(range(2, array.ndim))
    check(
        lambda: Call(interpolate, **options),
        lambda given: F.interpolate(given, **options),
        array,
        static=axes,
    )


def test_dtype_is_kept() -> None:
    check(
        lambda: Call(interpolate, size=(7, 9), mode="bicubic"),
        # torch's own float16 is 1.5e-3 off here; what is right is float64, rounded once.
        lambda given: F.interpolate(given.double(), size=(7, 9), mode="bicubic").half(),
        floats(2, 3, 5, 7, dtype="float16"),
        static=(2, 3),
        gradient=False,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 8, "mode": "bilinear"}, "does not fit"),
        ({"size": 8, "mode": "nonsense"}, "does not fit"),
        ({"size": 8, "align_corners": True}, "no meaning"),
        ({"size": 8, "antialias": True}, "antialias"),
        ({}, "either size or scale_factor"),
        ({"size": 8, "scale_factor": 2}, "either size or scale_factor"),
    ],
)
def test_what_torch_refuses_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        interpolate(Tensor(LINE), **options)
