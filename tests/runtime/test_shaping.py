"""Compare what rearranges, pads, indexes and creates with torch in every mode."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from mindspore import Tensor

from porter.runtime import creation, shaping
from porter.runtime.einsum import einsum

from .support import MODES, Call, check, compare, floats, prepare

X = floats(2, 3, 4)
WHOLE = np.array([[3, 0, 2], [1, 0, 4]], np.int64)
ROWS = np.array([2, 0], np.int64)

CASES: list[tuple[str, Any, tuple[Any, ...], dict[str, Any], tuple[int, ...]]] = [
    ("clone", torch.clone, (X,), {}, ()),
    ("clone", torch.clone, (WHOLE,), {}, ()),
    ("clone", torch.clone, (WHOLE > 1,), {}, ()),
    ("squeeze", torch.squeeze, (floats(1, 3, 1, 4),), {"dim": -2}, (0, 1, 2, 3)),
    ("squeeze", torch.squeeze, (floats(1, 3, 1, 4),), {"dim": (0, 1)}, (0, 1, 2, 3)),
    ("unflatten", torch.unflatten, (floats(2, 6, 4),), {"dim": 1, "sizes": (3, -1)}, (1,)),
    ("unflatten", torch.unflatten, (floats(2, 3, 8),), {"dim": -1, "sizes": (2, 4)}, (-1,)),
    ("broadcast_tensors", torch.broadcast_tensors, (floats(2, 1, 3), floats(4, 1)), {}, ()),
    ("repeat_interleave", torch.repeat_interleave, (X,), {"repeats": 2, "dim": 1}, ()),
    ("repeat_interleave", torch.repeat_interleave, (X,), {"repeats": 3, "dim": -1}, ()),
    ("repeat_interleave", torch.repeat_interleave, (X,), {"repeats": 2}, ()),
    ("roll", torch.roll, (X,), {"shifts": 1, "dims": 1}, ()),
    ("roll", torch.roll, (X,), {"shifts": (1, -5), "dims": (1, -1)}, ()),
    ("roll", torch.roll, (X,), {"shifts": 7}, ()),
    (
        "unfold_dimension",
        torch.Tensor.unfold,
        (floats(2, 7, 3),),
        {"dimension": 1, "size": 3, "step": 2},
        (),
    ),
    ("index_copy", None, (floats(4, 3), ROWS, floats(2, 3, seed=1)), {"dim": 0}, ()),
    ("index_copy", None, (floats(2, 3, 4), ROWS, floats(2, 2, 4, seed=1)), {"dim": 1}, ()),
    ("pad", F.pad, (X,), {"pad": (1, 2)}, ()),
    ("pad", F.pad, (X,), {"pad": (1, 1, 2, 0), "value": -1.5}, ()),
    ("pad", F.pad, (X,), {"pad": (-1, 2, 0, -1)}, ()),
    ("pad", F.pad, (WHOLE,), {"pad": (1, 0)}, ()),
    ("pad", F.pad, (WHOLE > 1,), {"pad": (1, 0), "value": True}, ()),
    ("pad", F.pad, (X,), {"pad": (1, 2), "mode": "reflect"}, (-1,)),
    ("pad", F.pad, (floats(1, 2, 3, 4),), {"pad": (1, 2, 3, 0), "mode": "replicate"}, (-1, -2)),
    ("pad", F.pad, (floats(1, 2, 3, 4),), {"pad": (1, 2, 0, 1), "mode": "circular"}, (-1, -2)),
    ("slice_logits_to_keep", lambda x: x[:, -2:], (X,), {"logits_to_keep": 2}, ()),
    ("slice_logits_to_keep", lambda x: x, (X,), {"logits_to_keep": 0}, ()),
]


@pytest.mark.parametrize(("name", "reference", "arrays", "options", "static"), CASES)
def test_function_is_torchs(
    name: str,
    reference: Any,
    arrays: tuple[Any, ...],
    options: dict[str, Any],
    static: tuple[int, ...],
) -> None:
    constants = dict(options)
    if name == "index_copy":
        dim = constants.pop("dim")
        check(
            lambda: Call(copied_rows if dim == 0 else copied_columns),
            lambda x, index, source: x.index_copy(dim, index, source),
            *arrays,
        )
        return
    if name == "slice_logits_to_keep":
        options = {}
    check(
        lambda: Call(getattr(shaping, name), **constants),
        lambda *given: reference(*given, **options),
        *arrays,
        static=static,
        gradient=name != "broadcast_tensors" and arrays[0].dtype.kind == "f",
    )


def copied_rows(x: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return shaping.index_copy(x, 0, index, source)


def copied_columns(x: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return shaping.index_copy(x, 1, index, source)


@pytest.mark.parametrize("mode", MODES)
def test_indices_of_what_is_not_zero(mode: str) -> None:
    cell = prepare(Call(shaping.nonzero_tuple), mode, [Tensor(WHOLE)])
    compare(cell(Tensor(WHOLE)), torch.nonzero(torch.from_numpy(WHOLE), as_tuple=True), mode)


def test_repeats_given_as_a_tensor_are_refused() -> None:
    with pytest.raises(TypeError, match="number of repeats"):
        shaping.repeat_interleave(Tensor(X), Tensor([1, 2]), 0)


def test_unknown_padding_is_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        shaping.pad(Tensor(X), (1, 1), mode="nonsense")


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 2, 5)]),
        ("i,j->ij", [(3,), (4,)]),
        ("bnd->bd", [(2, 3, 4)]),
        ("ij->ji", [(2, 3)]),
        ("ij->", [(2, 3)]),
        ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]),
        ("bhwc,hkc->bhwk", [(2, 3, 4, 5), (3, 6, 5)]),
        ("bcd, de", [(2, 3, 4), (4, 5)]),
        ("ab,bc,cd->ad", [(2, 3), (3, 4), (4, 5)]),
        ("ijk,ilk->ijl", [(2, 3, 4), (2, 5, 4)]),
    ],
)
def test_einstein_sum_is_torchs(equation: str, shapes: list[tuple[int, ...]]) -> None:
    check(
        lambda: Call(sum_of_products(equation, len(shapes))),
        lambda *given: torch.einsum(equation, *given),
        *(floats(*shape, seed=index) for index, shape in enumerate(shapes)),
    )


def sum_of_products(equation: str, count: int) -> Any:
    def one(a: Tensor) -> Tensor:
        return einsum(equation, a)

    def two(a: Tensor, b: Tensor) -> Tensor:
        return einsum(equation, a, b)

    def three(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        return einsum(equation, a, b, c)

    return (one, two, three)[count - 1]


@pytest.mark.parametrize(
    ("equation", "message"),
    [
        ("ij->ii", "repeats"),
        ("ij,jk->ik", "2 terms for 1"),
        ("ijk->i", "axes"),
        ("ij->ik", "right"),
    ],
)
def test_equation_that_does_not_fit_is_refused(equation: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        einsum(equation, Tensor(floats(3, 3)))


def filled(x: Tensor, value: Any) -> Tensor:
    return creation.full((x.shape[0], 3), value)


@pytest.mark.parametrize("value", [1.5, 7, float("-inf"), False, True])
def test_full_has_the_dtype_of_its_value(value: Any) -> None:
    check(
        lambda: Call(filled, value=value),
        lambda x: torch.full((x.shape[0], 3), value),
        X,
        gradient=False,
    )


def lowest(x: Tensor) -> Tensor:
    return x * 0 + creation.finfo(x.dtype).min


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_lowest_number_is_read_inside_the_graph(dtype: str) -> None:
    check(
        lambda: Call(lowest),
        lambda x: x * 0 + torch.finfo(x.dtype).min,
        floats(2, 3, dtype=dtype),
        gradient=False,
    )


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
def test_floating_limits_are_torchs(name: str) -> None:
    ours, theirs = creation.finfo(getattr(ms, name)), torch.finfo(getattr(torch, name))
    for key in ("bits", "min", "max", "eps", "tiny", "smallest_normal"):
        assert getattr(ours, key) == getattr(theirs, key)


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "int32", "int64"])
def test_integer_limits_are_torchs(name: str) -> None:
    ours, theirs = creation.iinfo(getattr(ms, name)), torch.iinfo(getattr(torch, name))
    assert (ours.bits, ours.min, ours.max) == (theirs.bits, theirs.min, theirs.max)


def test_limits_of_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float64"):
        creation.finfo(ms.float64)
    with pytest.raises(TypeError, match="floating-point"):
        creation.finfo(ms.int32)
    with pytest.raises(TypeError, match="integer"):
        creation.iinfo(ms.float32)


def test_array_becomes_a_tensor_and_a_tensor_stays() -> None:
    tensor = Tensor(X)
    assert creation.from_numpy(tensor) is tensor
    assert creation.from_numpy(WHOLE).dtype == ms.int64


def test_product_of_a_shape() -> None:
    assert shaping.product((2, 3, 4)) == 24
    assert shaping.product(5) == 5
