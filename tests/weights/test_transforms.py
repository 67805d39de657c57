"""Test that every transform is undone by its inverse, and refuses what it cannot have given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porter.types import PorterError
from porter.weights.transforms import Transform, parse_transform


def test_insert_axis_makes_the_weight_of_a_two_dimensional_convolution() -> None:
    value = np.arange(24).reshape(4, 3, 2)
    found = parse_transform("insert_axis:2").apply(value)
    assert found.shape == (4, 3, 1, 2)
    assert np.array_equal(found[:, :, 0, :], value)


def test_permute_gives_contiguous_values() -> None:
    value = np.arange(6).reshape(2, 3)
    found = parse_transform("permute:1,0").apply(value)
    assert found.flags.c_contiguous
    assert np.array_equal(found, [[0, 3], [1, 4], [2, 5]])


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, tuple[int, ...]]:
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=4)))
    axes = draw(st.permutations(range(len(shape))))
    spellings = ["identity", f"permute:{','.join(map(str, axes))}"]
    spellings += [f"insert_axis:{axis}" for axis in range(len(shape) + 1)]
    return draw(st.sampled_from(spellings)), shape


@settings(deadline=None)
@given(cases())
def test_the_inverse_undoes_a_transform(case: tuple[str, tuple[int, ...]]) -> None:
    text, shape = case
    transform = parse_transform(text)
    value = np.arange(int(np.prod(shape))).reshape(shape)
    changed = transform.apply(value)
    assert str(transform) == text
    assert changed.shape == transform.shape(shape)
    assert transform.inverted_shape(changed.shape) == shape
    back = transform.invert(changed)
    assert back.shape == shape
    assert np.array_equal(back, value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "transpose",
        "insert_axis",
        "insert_axis:-1",
        "insert_axis:1,2",
        "permute:0,0",
        "permute:1",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(PorterError) as caught:
        parse_transform(text)
    assert caught.value.code == "PRT901"


@pytest.mark.parametrize(
    ("transform", "shape", "inverted"),
    [
        (Transform("insert_axis", (3,)), (2, 2), None),
        (Transform("permute", (1, 0)), (2, 2, 2), (2,)),
        (Transform("insert_axis", (1,)), None, (2, 2)),
        (Transform("insert_axis", (2,)), None, (1, 1)),
    ],
)
def test_a_tensor_of_the_wrong_rank_is_refused(
    transform: Transform, shape: tuple[int, ...] | None, inverted: tuple[int, ...] | None
) -> None:
    if shape is not None:
        with pytest.raises(ValueError, match=r"axis|axes"):
            transform.apply(np.zeros(shape))
    if inverted is not None:
        with pytest.raises(ValueError, match=r"axis|axes"):
            transform.invert(np.zeros(inverted))
