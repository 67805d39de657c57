"""Make layers of classes that are passed on with torch's arguments."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch

from porter.runtime import passed_on


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Identity", {"args": (3, "anything")}),
        ("ReLU", {"inplace": True}),
        ("ReLU6", {"inplace": True}),
        ("SiLU", {"inplace": True}),
        ("LeakyReLU", {"negative_slope": 0.3, "inplace": True}),
        ("CELU", {"alpha": 2.0, "inplace": True}),
        ("ELU", {"alpha": 0.5, "inplace": True}),
        ("SELU", {"inplace": True}),
        ("Mish", {"inplace": True}),
        ("Hardsigmoid", {"inplace": True}),
        ("Hardswish", {"inplace": True}),
        ("Hardtanh", {"min_val": -2.0, "inplace": True}),
        ("PReLU", {"num_parameters": 3, "init": 0.4, "device": None, "dtype": None}),
        ("Softmax", {"dim": 1}),
        ("AvgPool2d", {"kernel_size": 2, "padding": 1, "count_include_pad": False}),
        ("AvgPool2d", {"args": (3, 1, 1)}),
        ("MaxPool2d", {"kernel_size": (2, 1), "ceil_mode": True}),
        ("MaxPool2d", {"args": (3, 2, 1)}),
        ("GroupNorm", {"num_groups": 1, "num_channels": 3, "dtype": None}),
        ("Dropout", {"p": 0.2, "inplace": True}),
        ("BatchNorm2d", {"num_features": 3, "eps": 1e-2, "momentum": 0.3}),
    ],
)
def test_layers_take_the_arguments_of_torch(name: str, arguments: dict[str, Any]) -> None:
    positional: tuple[Any, ...] = arguments.pop("args", ())
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 4)).astype(np.float32) * 4
    expected = getattr(torch.nn, name)(*positional, **arguments).eval()(torch.tensor(x)).detach()
    cell = getattr(passed_on, name)(*positional, **arguments).set_train(False)
    np.testing.assert_allclose(cell(ms.Tensor(x)).asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "shape"), [("AvgPool1d", (2, 3, 8)), ("AvgPool3d", (1, 2, 4, 4, 6))]
)
def test_pools_of_other_ranks(name: str, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    expected = getattr(torch.nn, name)(2, padding=1)(torch.tensor(x)).numpy()
    actual = getattr(passed_on, name)(2, padding=1)(ms.Tensor(x)).asnumpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)


def test_momentum_is_the_weight_of_the_new_statistics() -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 4)).astype(np.float32)
    layer = torch.nn.BatchNorm2d(3, momentum=0.3)
    layer(torch.from_numpy(x))
    cell = passed_on.BatchNorm2d(3, momentum=0.3).set_train(True)
    cell(ms.Tensor(x))
    assert layer.running_mean is not None
    np.testing.assert_allclose(cell.moving_mean.asnumpy(), layer.running_mean.numpy(), rtol=1e-5)


def test_the_share_of_dropout_is_what_goes() -> None:
    cell = passed_on.Dropout(0.2).set_train(True)
    kept = (cell(ms.Tensor(np.ones((100, 100), np.float32))).asnumpy() > 0).mean()
    assert 0.77 < kept < 0.83


def test_statistics_of_the_batch_alone_are_refused() -> None:
    with pytest.raises(ValueError, match="not carried over"):
        passed_on.BatchNorm2d(3, track_running_stats=False)
