"""Judge values by PyTorch's own error, in the places where that is easy to get wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porter.parity.yardstick import CLOSE, EPSILON, close_limits, float64_limits

Array = np.ndarray[Any, np.dtype[Any]]
EPS = EPSILON["float32"]


def holds(torch: Array, port: Array, exact: Array, dtype: str = "float32") -> Array:
    limits = float64_limits(torch.astype(np.float64), exact, dtype, 4.0)
    off = np.abs(port.astype(np.float64) - limits.base)
    return np.less_equal(off, limits.limit)


def noisy(exact: Array, error: float, seed: int = 0) -> Array:
    random = np.random.default_rng(seed)
    return np.multiply(exact, 1 + error * random.uniform(-1, 1, exact.shape))


NORMAL = np.random.default_rng(3).standard_normal((20, 50))


def test_an_error_of_the_size_of_torchs_holds_and_a_hundredfold_one_does_not() -> None:
    torch = NORMAL + 1e-6 * noisy(np.ones_like(NORMAL), 1.0)
    assert holds(torch, NORMAL - 3e-6, NORMAL).all()
    assert not holds(torch, NORMAL - 1e-4, NORMAL).any()


def test_few_large_values_do_not_excuse_the_small_ones() -> None:
    exact = NORMAL.copy()
    exact[0, 0] = 1e7
    torch = exact.copy()
    torch[0, 0] += 1.0
    port = exact.copy()
    port[5, 5] += 1e-3
    assert np.argwhere(~holds(torch, port, exact)).tolist() == [[5, 5]]


def test_a_mask_value_is_no_scale_and_is_compared_with_torch_itself() -> None:
    lowest = float(np.finfo(np.float32).min)
    exact, torch = NORMAL.copy(), NORMAL.astype(np.float32).astype(np.float64)
    exact[:, 10:] = np.finfo(np.float64).min
    torch[:, 10:] = lowest
    assert holds(torch, torch, exact).all()
    wrong = torch.copy()
    wrong[:, 10:] = -1e9
    assert (~holds(torch, wrong, exact)).sum() == 20 * 40
    wrong = torch.copy()
    wrong[0, 0] += 1e-4
    assert (~holds(torch, wrong, exact)).sum() == 1


def test_where_float64_computes_something_else_torch_is_the_yardstick() -> None:
    exact, torch = NORMAL.copy(), NORMAL.copy()
    torch[3] = exact[4]
    assert holds(torch, torch, exact).all()
    assert not holds(torch, exact, exact)[3].any()


def test_values_that_cancel_have_the_error_of_their_terms() -> None:
    exact = NORMAL.copy()
    exact[2, 2] = 1e-9
    torch = exact + 1e-7 * noisy(np.ones_like(exact), 1.0, 1)
    port = exact + 1e-7 * noisy(np.ones_like(exact), 1.0, 2)
    assert holds(torch, port, exact).all()


def test_an_exact_torch_leaves_some_roundings() -> None:
    assert holds(NORMAL, NORMAL * (1 + 31 * EPS), NORMAL).all()
    assert not holds(NORMAL, NORMAL * (1 + 33 * EPS), NORMAL)[np.abs(NORMAL) > 1].any()


def test_a_single_value_is_judged() -> None:
    exact = np.array(2.0)
    assert holds(exact, exact * (1 + 31 * EPS), exact)
    assert not holds(exact, exact * (1 + 33 * EPS), exact)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precisions_have_their_own_floor(dtype: str) -> None:
    error = EPSILON[dtype]
    assert holds(NORMAL, NORMAL * (1 + 7 * error), NORMAL, dtype).all()
    assert not holds(NORMAL, NORMAL * (1 + 9 * error), NORMAL, dtype)[np.abs(NORMAL) > 1].any()


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 400), st.floats(-8, 8), st.integers(0, 99), st.sampled_from(["float32"]))
def test_torch_itself_always_holds(count: int, exponent: float, seed: int, dtype: str) -> None:
    exact = np.random.default_rng(seed).standard_normal(count) * 10.0**exponent
    torch = exact.astype(np.float32).astype(np.float64)
    assert holds(torch, torch, exact, dtype).all()
    assert holds(torch, exact, exact, dtype).all()


def test_without_float64_the_tolerances_are_those_of_the_dtype() -> None:
    limits = close_limits(np.array([1.0, np.inf]), "float32", None, None, "torch")
    relative, absolute = CLOSE["float32"]
    assert limits.limit.tolist() == [relative + absolute, absolute]
    assert close_limits(np.array([7.0]), "int64", None, None, "equal").limit.tolist() == [0.0]


def test_a_lucky_run_is_no_measure_of_what_float32_allows() -> None:
    torch = NORMAL + 1e-8
    port = NORMAL + 1e-4
    alone = float64_limits(torch, NORMAL, "float32", 4.0)
    assert (np.abs(port - NORMAL) > alone.limit).all()
    perturbed = NORMAL + 5e-5 * noisy(np.ones_like(NORMAL), 1.0)
    both = float64_limits(torch, NORMAL, "float32", 4.0, perturbed)
    assert (np.abs(port - NORMAL) <= both.limit).all()
    assert (np.abs(port + 1e-3 - NORMAL) > both.limit).all()
