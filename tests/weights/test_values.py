"""Test that what a value is made of can be read, streamed and undone, whatever the steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porter.weights.dtypes import DTYPES
from porter.weights.formats import OutputTensor
from porter.weights.location import Location
from porter.weights.produce import Budget, Producer, as_bytes, compare, same_values
from porter.weights.tensor import TensorInfo
from porter.weights.transforms import Transform
from porter.weights.values import Joined, Part, Source, Taken, Transformed, Value, undo

FLOAT32 = DTYPES["float32"]


class Arrays:
    """A checkpoint of float32 arrays in memory."""

    def __init__(self, **arrays: Any) -> None:
        self.arrays = {name: np.asarray(value, np.float32) for name, value in arrays.items()}
        self.tensors = {
            name: TensorInfo(name, value.shape, FLOAT32) for name, value in self.arrays.items()
        }

    def read(self, name: str) -> Any:
        return self.arrays[name]

    def stream(self, name: str, begin: int, end: int) -> Iterator[memoryview]:
        yield as_bytes(self.arrays[name])[begin:end]

    def files(self) -> list[Location]:
        return []

    def source(self, name: str) -> Source:
        return Source(self.tensors[name])


def streamed(value: Value, held: Arrays) -> bytes:
    tensor = OutputTensor("x", value, FLOAT32)
    return b"".join(bytes(view) for view in Producer(held, Budget(0)).stream(tensor))


def test_a_fused_projection_is_divided_along_its_first_axis() -> None:
    held = Arrays(qkv=np.arange(24).reshape(12, 2))
    parts = [Taken(held.source("qkv"), Part(0, index, (1, 1, 1))) for index in range(3)]
    for index, part in enumerate(parts):
        assert part.shape == (4, 2)
        assert part.spans == (("qkv", index * 32, index * 32 + 32),)
        assert np.array_equal(part.read(held), held.read("qkv")[4 * index : 4 * index + 4])


def test_a_projection_that_is_stored_head_by_head_is_divided_in_groups() -> None:
    heads, size = 2, 3
    weight = np.arange(heads * 3 * size * 4).reshape(heads * 3 * size, 4)
    held = Arrays(qkv=weight)
    expected = weight.reshape(heads, 3, size, 4)
    for index in range(3):
        part = Taken(held.source("qkv"), Part(0, index, (1, 1, 1), heads))
        assert part.spans is None
        assert np.array_equal(part.read(held), expected[:, index].reshape(heads * size, 4))


def test_unequal_parts_are_in_the_proportion_of_their_sizes() -> None:
    held = Arrays(qkv=np.arange(12).reshape(12, 1))
    sizes = (4, 1, 1)
    lengths = [Taken(held.source("qkv"), Part(0, index, sizes)).shape[0] for index in range(3)]
    assert lengths == [8, 2, 2]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (lambda held: Taken(held.source("a"), Part(0, 0, (1, 1))), "cannot be divided"),
        (lambda held: Taken(held.source("a"), Part(2, 0, (1, 1))), "has no axis 2 to divide"),
        (lambda held: Joined((held.source("a"), held.source("b")), 1), "cannot be joined"),
        (lambda held: Joined((held.source("a"), held.source("a")), 2), "no axis 2 to join"),
        (lambda held: Joined((held.source("a"),), 0, 2), "has no 2 groups"),
        (
            lambda held: Joined((held.source("a"), held.source("b")), 0, sizes=(1, 1)),
            "not in the proportion",
        ),
    ],
)
def test_parts_that_do_not_fit_are_refused(value: Any, reason: str) -> None:
    held = Arrays(a=np.zeros((3, 2)), b=np.zeros((4, 2)))
    with pytest.raises(ValueError, match=reason):
        _ = value(held).shape


def test_a_missing_part_is_named() -> None:
    held = Arrays(q=np.zeros(2), qkv=np.zeros(4))
    tree = Taken(held.source("qkv"), Part(0, 0, (1, 1)))
    with pytest.raises(ValueError, match="qkv lacks part 2 of 2"):
        undo([(tree, held.source("q"))])


@st.composite
def trees(draw: st.DrawFn) -> tuple[Arrays, list[Value]]:
    """Draw a checkpoint and values that are made of all of it, each tensor once."""
    arrays: dict[str, Any] = {}
    made: list[Value] = []
    for number in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["whole", "split", "fuse"]))
        axis, groups = draw(st.integers(0, 1)), draw(st.integers(1, 2))
        sizes = tuple(draw(st.lists(st.integers(1, 3), min_size=2, max_size=3)))
        shape = [draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(0, 2))]
        unit = draw(st.integers(1, 2))
        if kind == "split":
            shape[axis] = sum(sizes) * groups * unit
        names = [f"{number}.{index}" for index in range(len(sizes) if kind == "fuse" else 1)]
        for name, size in zip(names, sizes, strict=False):
            if kind == "fuse":
                shape[axis] = size * groups * unit
            arrays[name] = (tuple(shape), np.random.default_rng(len(arrays)))
        sources = [Source(TensorInfo(name, arrays[name][0], FLOAT32)) for name in names]
        value: list[Value] = [sources[0]]
        if kind == "split":
            value = [Taken(sources[0], Part(axis, i, sizes, groups)) for i in range(len(sizes))]
        elif kind == "fuse":
            value = [Joined(tuple(sources), axis, groups, draw(st.sampled_from([(), sizes])))]
        steps = [Transform("permute", (2, 0, 1)), Transform("insert_axis", (1,))]
        for item in value:
            for step in draw(st.lists(st.sampled_from(steps), max_size=1)):
                item = Transformed(item, step)
            made.append(item)
    return Arrays(**{name: rng.random(size) for name, (size, rng) in arrays.items()}), made


@settings(deadline=None, max_examples=200)
@given(trees())
def test_every_tree_is_undone_bit_by_bit(drawn: tuple[Arrays, list[Value]]) -> None:
    held, made = drawn
    files = {str(index): value.read(held) for index, value in enumerate(made)}
    for index, value in enumerate(made):
        assert files[str(index)].shape == value.shape
        assert files[str(index)].flags.c_contiguous
        assert streamed(value, held) == files[str(index)].tobytes()
    written = Arrays(**files)
    pairs = [(value, written.source(str(index))) for index, value in enumerate(made)]
    found = undo([(tree, given) for tree, given in pairs])
    assert set(found) == set(held.arrays)
    for name, value in found.items():
        assert value.shape == held.arrays[name].shape
        assert np.array_equal(value.read(written), held.arrays[name])
        assert streamed(value, written) == held.arrays[name].tobytes()


def test_equal_values_with_other_bits_are_not_the_same() -> None:
    held = Arrays(zero=[0.0], same=[0.0], minus=[-0.0], reshaped=[[0.0]])
    zero = held.source("zero")
    assert same_values(zero, held.source("same"), held)
    assert not same_values(zero, held.source("minus"), held)
    assert not same_values(zero, held.source("reshaped"), held)
    joined = Joined((zero, held.source("minus")), 0)
    assert same_values(joined, Joined((held.source("same"), held.source("minus")), 0), held)
    assert not same_values(joined, Joined((held.source("minus"), zero), 0), held)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ((b"abcd", b"", b"ef"), (b"ab", b"cdef"), True),
        ((b"abcdef",), (b"abcdeX",), False),
        ((b"abcdef",), (b"abcd",), False),
        ((), (b"a",), False),
        ((), (b"",), True),
    ],
)
def test_streams_are_compared_to_their_end(
    first: tuple[bytes, ...], second: tuple[bytes, ...], same: bool
) -> None:
    for one, two in ((first, second), (second, first)):
        found = list(compare(map(memoryview, one), map(memoryview, two)))
        assert all(equal for _, equal in found) == same
