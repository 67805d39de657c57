"""Transforms that MindSpore computes right in every other call only."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch

from porter.runtime import fourier


@pytest.mark.parametrize("name", ["hfft", "ihfft", "hfftn", "ihfftn"])
@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
def test_each_of_several_calls_is_right(name: str, norm: str) -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE)
    random = np.random.default_rng(0)
    for _ in range(3):
        values = random.standard_normal((2, 5)).astype(np.float32)
        if name.startswith("h"):
            values = (values + 1j * random.standard_normal((2, 5))).astype(np.complex64)
        expected = getattr(torch.fft, name)(torch.from_numpy(values), norm=norm)
        actual = getattr(fourier, name)(ms.Tensor(values), norm=norm).asnumpy()
        np.testing.assert_allclose(actual, expected.resolve_conj().numpy(), atol=1e-5)
