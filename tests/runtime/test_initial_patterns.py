"""Weights that are patterns, not draws alone: identities, orthogonal rows, zeros."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from porter.runtime import initial_patterns


def _filled(name: str, shape: tuple[int, ...], *arguments: float) -> NDArray[np.float32]:
    tensor = ms.Parameter(ms.ops.ones(shape, ms.float32))
    filled: NDArray[np.float32] = getattr(initial_patterns, name)(tensor, *arguments).asnumpy()
    return filled


@pytest.mark.parametrize("shape", [(3, 4), (4, 3)])
def test_an_identity_is_that_of_torch(shape: tuple[int, int]) -> None:
    np.testing.assert_array_equal(
        _filled("eye_", shape), torch.nn.init.eye_(torch.ones(shape)).numpy()
    )


@pytest.mark.parametrize(("shape", "groups"), [((4, 2, 3), 1), ((4, 2, 3, 5), 2)])
def test_a_convolution_that_hands_on_is_that_of_torch(shape: tuple[int, ...], groups: int) -> None:
    expected = torch.nn.init.dirac_(torch.ones(shape), groups).numpy()
    np.testing.assert_array_equal(_filled("dirac_", shape, groups), expected)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (2, 3, 2)])
def test_rows_or_columns_are_orthogonal(shape: tuple[int, ...]) -> None:
    values = _filled("orthogonal_", shape, 2.0).reshape(shape[0], -1)
    product = values @ values.T if values.shape[0] <= values.shape[1] else values.T @ values
    np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=1e-5)


def test_each_column_has_its_share_of_zeros() -> None:
    values = _filled("sparse_", (10, 40), 0.25)
    assert ((values == 0).sum(0) == 3).all()
    assert 0.005 < values[values != 0].std() < 0.015
