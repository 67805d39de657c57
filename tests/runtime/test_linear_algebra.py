"""Factors that are not unique: they give the matrix again, and are orthonormal."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
from numpy.typing import NDArray

from porter.runtime.linear_algebra import eigh, svd

RANDOM = np.random.default_rng(0)
GENERAL = RANDOM.standard_normal((2, 4, 3)).astype(np.float32)
SQUARE = RANDOM.standard_normal((2, 4, 4)).astype(np.float32)
# One eigenvalue twice, and one of the other sign.
TURN = np.linalg.qr(RANDOM.standard_normal((4, 4)))[0]
REPEATED = ((TURN * np.array([2.0, 2.0, -2.0, 0.5])) @ TURN.T).astype(np.float32)[None]


@pytest.mark.parametrize("matrix", [SQUARE + SQUARE.swapaxes(-1, -2), REPEATED])
def test_eigenvectors_give_the_matrix_again(matrix: NDArray[np.float32]) -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE)
    values, vectors = (item.asnumpy() for item in eigh(ms.Tensor(matrix)))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-5)
    product = (vectors * values[..., None, :]) @ vectors.swapaxes(-1, -2)
    np.testing.assert_allclose(product, matrix, atol=1e-5)
    unit = vectors.swapaxes(-1, -2) @ vectors
    np.testing.assert_allclose(unit, np.broadcast_to(np.eye(4), unit.shape), atol=1e-5)


@pytest.mark.parametrize("full", [True, False])
def test_singular_vectors_give_the_matrix_again(full: bool) -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE)
    left, values, right = (item.asnumpy() for item in svd(ms.Tensor(GENERAL), full))
    assert left.shape == (2, 4, 4 if full else 3)
    np.testing.assert_allclose(values, np.linalg.svd(GENERAL, compute_uv=False), atol=1e-5)
    product = (left[..., :3] * values[..., None, :]) @ right
    np.testing.assert_allclose(product, GENERAL, atol=1e-5)
