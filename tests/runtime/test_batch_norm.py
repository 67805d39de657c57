"""Normalise batches by cells with torch's names."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch

from porter.runtime import batch_norm


def filled(layer: Any, cell: Any) -> None:
    random = np.random.default_rng(1)
    for name, value in layer.state_dict().items():
        if value.dim() == 0:
            continue
        values = random.uniform(0.5, 1.5, value.shape).astype(np.float32)
        value.copy_(torch.from_numpy(values))
        getattr(cell, name).set_data(ms.Tensor(values))


@pytest.mark.parametrize(
    ("name", "shape"),
    [("BatchNorm1d", (4, 3)), ("BatchNorm2d", (2, 3, 4, 5)), ("BatchNorm3d", (2, 3, 2, 2, 3))],
)
@pytest.mark.parametrize("training", [False, True])
def test_values_and_statistics_are_torchs(
    name: str, shape: tuple[int, ...], training: bool
) -> None:
    layer = getattr(torch.nn, name)(3, eps=1e-3, momentum=0.3, device=None).train(training)
    cell = getattr(batch_norm, name)(3, eps=1e-3, momentum=0.3, device=None).set_train(training)
    filled(layer, cell)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        actual = cell(ms.Tensor(x)).asnumpy()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    expected = layer(torch.from_numpy(x)).detach().numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)
    for statistic in ("running_mean", "running_var"):
        np.testing.assert_allclose(
            getattr(cell, statistic).asnumpy(), getattr(layer, statistic).numpy(), rtol=1e-5
        )
    assert {p.name for p in cell.trainable_params()} == {"weight", "bias"}


def test_another_dtype_and_another_momentum_are_refused() -> None:
    with pytest.raises(ValueError, match="float32"):
        batch_norm.BatchNorm2d(3, dtype=ms.float16)
    cell = batch_norm.BatchNorm2d(3, momentum=None).set_train(True)
    with pytest.raises(ValueError, match="momentum"):
        cell(ms.Tensor(np.ones((2, 3, 4, 4), np.float32)))


def test_frozen_statistics_are_those_of_evaluation() -> None:
    layer = torch.nn.BatchNorm2d(3).eval()
    cell = batch_norm.FrozenBatchNorm2d(3).set_train(True)
    filled(layer, cell)
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    expected = layer(torch.from_numpy(x)).detach().numpy()
    np.testing.assert_allclose(cell(ms.Tensor(x)).asnumpy(), expected, rtol=1e-5, atol=1e-5)
    assert not cell.trainable_params()
