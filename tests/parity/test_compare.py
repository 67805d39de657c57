"""Compare leaves that differ in one way each."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from porter.parity.compare import compare_leaves, same_leaves
from porter.parity.compare_gradients import compare_gradients
from porter.parity.results import OutputRow
from porter.parity.tree import Leaf, flatten, load_leaves, save_leaves
from porter.recipe import Verify, parse_recipe

HERE_DOCUMENT: dict[str, Any] = {
    "source": {"module": "nowhere", "class": "Model"},
    "cases": [{"inputs": {"x": {"randn": [2, 3]}}}],
}


def settings(**verify: Any) -> Verify:
    return parse_recipe({**HERE_DOCUMENT, "verify": verify}, Path("recipe.toml")).verify


def read(value: Any) -> tuple[np.ndarray[Any, Any], str] | None:
    return (value, str(value.dtype)) if isinstance(value, np.ndarray) else None


def rows(expected: Any, actual: Any, exact: Any = None, **verify: Any) -> list[OutputRow]:
    leaves = [flatten(value, read) for value in (expected, actual, {} if exact is None else exact)]
    return compare_leaves(leaves[0], leaves[1], leaves[2], settings(**verify))


def codes(expected: Any, actual: Any, **verify: Any) -> list[str]:
    return [row.code for row in rows(expected, actual, **verify)]


ONE = np.array([1.0, 2.0, 3.0], dtype=np.float32)
INFINITY = np.float32(np.inf)


def test_equal_leaves_hold() -> None:
    assert codes({"a": ONE, "b": (ONE, None)}, {"a": ONE, "b": (ONE, None)}) == ["", "", ""]


def test_without_a_yardstick_the_tolerance_is_that_of_assert_close() -> None:
    (row,) = rows(ONE, ONE + np.float32(9e-6))
    assert (row.code, row.rule) == ("", "torch")
    assert codes(ONE, ONE + np.float32(2e-5)) == ["PRT603"]


def test_the_recipe_can_set_the_tolerance() -> None:
    (row,) = rows(ONE, ONE + np.float32(2e-5), ONE.astype(np.float64), absolute_tolerance=1e-4)
    assert (row.code, row.rule) == ("", "recipe")
    assert codes(ONE, ONE + np.float32(2e-4), relative_tolerance=1e-9) == ["PRT603"]


def test_the_place_of_the_largest_difference_is_named() -> None:
    (row,) = rows(ONE, ONE + np.array([0.0, 0.5, 0.0], dtype=np.float32))
    assert (row.index, row.maximum_absolute, row.maximum_relative) == ((1,), 0.5, 0.25)
    assert "1 of 3 values differ, by 0.5 at [1]: 2.5, PyTorch has 2" in row.message


@pytest.mark.parametrize(
    ("expected", "actual", "code"),
    [
        (ONE, ONE[None], "PRT601"),
        (ONE, ONE.astype(np.float64), "PRT602"),
        (np.array([1, 2]), np.array([1, 2], dtype=np.int32), "PRT602"),
        (np.array([1, 2]), np.array([1, 3]), "PRT603"),
        (np.array([True]), np.array([False]), "PRT603"),
        (ONE, ONE * INFINITY, "PRT605"),
        (ONE, ONE * np.float32(np.nan), "PRT605"),
        (ONE * np.float32(np.nan), ONE * np.float32(np.nan), "PRT605"),
        (ONE * INFINITY, -ONE * INFINITY, "PRT605"),
        (ONE, None, "PRT612"),
        (ONE, 1.0, "PRT612"),
        (3, 4, "PRT603"),
        (ONE, (ONE,), "PRT612"),
        (object(), ONE, "PRT612"),
    ],
)
def test_each_way_to_differ_has_its_code(expected: Any, actual: Any, code: str) -> None:
    assert code in codes(expected, actual)


def test_an_infinity_on_both_sides_is_right() -> None:
    masked = np.array([-np.inf, 1.0], dtype=np.float32)
    assert codes(masked, masked.copy()) == [""]


def test_a_large_integer_must_be_equal() -> None:
    assert codes(np.array([2**40]), np.array([2**40 + 1])) == ["PRT603"]


def test_both_errors_against_float64_are_given() -> None:
    exact = np.linspace(1.0, 2.0, 100)
    torch = (exact + 1e-5).astype(np.float32)
    port = (exact - 3e-5).astype(np.float32)
    (row,) = rows(torch, port, exact)
    assert (row.code, row.rule) == ("", "float64")
    assert row.torch_error == pytest.approx(1e-5, rel=0.02)
    assert row.port_error == pytest.approx(3e-5, rel=0.02)
    assert row.used == pytest.approx(0.75, rel=0.02)
    (row,) = rows(torch, port, exact, float64_factor=2.0)
    assert row.code == "PRT603"
    assert "in float64" in row.message


def test_missing_and_added_outputs_are_named() -> None:
    found = {row.name: row.code for row in rows({"a": ONE, "b": ONE}, {"a": ONE, "c": ONE})}
    assert found == {"a": "", "b": "PRT612", "c": "PRT612"}


class Pair(NamedTuple):
    """A named output with a field that may be absent."""

    first: Any
    second: Any = None


def test_absent_fields_of_named_outputs_are_no_leaves() -> None:
    assert list(flatten(Pair(ONE), read)) == ["first"]
    assert list(flatten({"x": (ONE, [ONE]), "y": None}, read)) == ["x.0", "x.1.0"]


def test_leaves_survive_a_file(tmp_path: Any) -> None:
    leaves = flatten({"a": ONE, "b": (None, 3, "text")}, read)
    save_leaves(tmp_path / "leaves.npz", leaves)
    read_back = load_leaves(tmp_path / "leaves.npz")
    assert same_leaves(leaves, read_back)
    assert [leaf.path for leaf in read_back.values()] == [leaf.path for leaf in leaves.values()]


def test_same_leaves_is_exact() -> None:
    def one(value: Any) -> dict[str, Leaf]:
        return flatten(value, read)

    nan = np.array([np.nan], dtype=np.float32)
    assert same_leaves(one(nan), one(nan.copy()))
    assert not same_leaves(one(ONE), one(ONE + np.float32(1e-6)))
    assert not same_leaves(one((ONE,)), one((ONE, ONE)))


def test_gradients_are_judged_by_their_own_size() -> None:
    large, small = ONE * np.float32(1e3), ONE * np.float32(1e-1)
    expected = {"large": large, "small": small}
    good = {"large": large * np.float32(1 + 5e-5), "small": small}
    assert [row.code for row in compare_gradients(expected, good, tolerance=1e-4)] == ["", ""]
    bad = {"large": large, "small": small * np.float32(1.02)}
    assert [row.code for row in compare_gradients(expected, bad, tolerance=1e-4)] == ["", "PRT610"]


def test_rounding_noise_around_a_zero_gradient_holds() -> None:
    expected = {"large": ONE, "noise": ONE * np.float32(1e-8)}
    actual = {"large": ONE, "noise": ONE * np.float32(-1e-8)}
    assert [row.code for row in compare_gradients(expected, actual, tolerance=1e-4)] == ["", ""]


def test_gradients_that_are_not_asked_for_are_left_out() -> None:
    nothing = np.full(3, np.nan, dtype=np.float32)
    rows_found = compare_gradients({"a": ONE, "buffer": nothing}, {"a": ONE}, tolerance=1e-4)
    assert [row.name for row in rows_found] == ["a"]


@pytest.mark.parametrize(
    ("actual", "message"),
    [
        ({}, "no gradient"),
        ({"a": ONE[:2]}, "shape"),
        ({"a": ONE * 0}, "is zero"),
        ({"a": ONE * np.float32(np.nan)}, "differs by nan"),
        ({"a": ONE, "b": ONE}, "no parameter"),
    ],
)
def test_a_wrong_gradient_says_how(actual: dict[str, Any], message: str) -> None:
    bad = [row for row in compare_gradients({"a": ONE}, actual, tolerance=1e-4) if row.code]
    assert [row.code for row in bad] == ["PRT610"]
    assert message in bad[0].message
