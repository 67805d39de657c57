"""Compare the statistics of initial values with those of torch, and what is exact exactly."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import Parameter, Tensor, nn, ops
from transformers import initialization

from porter.runtime import initialization as init

SHAPE = (400, 300)


def fresh(shape: tuple[int, ...] = SHAPE, dtype: Any = ms.float32) -> Parameter:
    return Parameter(ops.full(shape, 9.0, dtype=dtype))


def filled(name: str, *args: Any, **options: Any) -> tuple[Any, Any]:
    theirs = torch.full(SHAPE, 9.0)
    getattr(torch.nn.init, name)(theirs, *args, **options)
    ours = fresh()
    assert getattr(init, name)(ours, *args, **options) is ours
    return ours.asnumpy(), theirs.numpy()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("normal_", {}),
        ("normal_", {"mean": 3.0, "std": 0.02}),
        ("uniform_", {}),
        ("uniform_", {"a": -0.5, "b": 2.0}),
        ("trunc_normal_", {"std": 0.02}),
        ("trunc_normal_", {"mean": 0.5, "std": 1.0, "a": -0.2, "b": 0.9}),
        ("xavier_uniform_", {}),
        ("xavier_normal_", {"gain": 2.0}),
        ("kaiming_uniform_", {"a": 5**0.5}),
        ("kaiming_uniform_", {"mode": "fan_out", "nonlinearity": "relu"}),
        ("kaiming_normal_", {}),
        ("kaiming_normal_", {"nonlinearity": "tanh"}),
    ],
)
def test_distribution_is_torchs(name: str, options: dict[str, Any]) -> None:
    ours, theirs = filled(name, **options)
    spread = theirs.std()
    assert abs(ours.mean() - theirs.mean()) < 0.02 * spread
    assert abs(ours.std() - spread) < 0.02 * spread
    # The quantiles tell a normal from a uniform, and a cut at the bounds from none.
    points = [0.01, 0.25, 0.75, 0.99]
    assert np.allclose(np.quantile(ours, points), np.quantile(theirs, points), atol=0.04 * spread)
    assert ours.dtype == np.float32


def test_truncated_values_stay_within_their_bounds() -> None:
    ours, _ = filled("trunc_normal_", mean=0.5, std=1.0, a=-0.2, b=0.9)
    assert ours.min() >= -0.2
    assert ours.max() <= 0.9


def test_two_fillings_differ() -> None:
    assert (init.normal_(fresh()).asnumpy() != init.normal_(fresh()).asnumpy()).any()


@pytest.mark.parametrize(
    ("name", "args", "value"), [("zeros_", (), 0.0), ("ones_", (), 1.0), ("constant_", (0.5,), 0.5)]
)
def test_constant_fills_are_exact(name: str, args: tuple[Any, ...], value: float) -> None:
    ours, theirs = filled(name, *args)
    assert (ours == value).all()
    assert (theirs == value).all()


@pytest.mark.parametrize(
    "name", ["zeros_", "normal_", "uniform_", "trunc_normal_", "kaiming_normal_"]
)
def test_dtype_and_shape_are_kept(name: str) -> None:
    parameter = fresh((5, 4, 3, 3), ms.float16)
    getattr(init, name)(parameter)
    assert parameter.dtype == ms.float16
    assert parameter.shape == (5, 4, 3, 3)


def test_fans_of_a_convolution_count_its_kernel() -> None:
    ours, theirs = fresh((64, 32, 3, 3)), torch.empty(64, 32, 3, 3)
    init.kaiming_normal_(ours, mode="fan_out")
    torch.nn.init.kaiming_normal_(theirs, mode="fan_out")
    assert abs(ours.asnumpy().std() / theirs.std().item() - 1) < 0.03


@pytest.mark.parametrize(
    "name", ["relu", "tanh", "sigmoid", "linear", "selu", "conv2d", "leaky_relu"]
)
def test_gain_is_torchs(name: Any) -> None:
    assert init.calculate_gain(name) == pytest.approx(torch.nn.init.calculate_gain(name))


def test_copy_broadcasts_and_casts() -> None:
    parameter = Parameter(Tensor(np.zeros((2, 3), np.float32)))
    init.copy_(parameter, ops.arange(3))
    assert (parameter.asnumpy() == [[0, 1, 2], [0, 1, 2]]).all()
    assert parameter.dtype == ms.float32


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: init.xavier_uniform_(fresh((3,))), "two axes"),
        (lambda: init.kaiming_normal_(fresh(), mode="fan"), "fan_in or fan_out"),
        (lambda: init.kaiming_normal_(fresh(), nonlinearity="nonsense"), "nonsense"),
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_buffer_is_filled_too() -> None:
    positions = ms.ops.zeros((1, 4), dtype=ms.int64)
    held = positions
    init.copy_(positions, ms.ops.arange(4))
    np.testing.assert_array_equal(held.asnumpy(), [[0, 1, 2, 3]])
    table = ms.ops.zeros((2, 3))
    init.ones_(table)
    np.testing.assert_array_equal(table.asnumpy(), np.ones((2, 3), np.float32))


@pytest.mark.parametrize("name", ["lecun_normal_", "default_flax_embed_init_"])
def test_variance_suits_the_fan_in_as_in_transformers(name: str) -> None:
    theirs, ours = torch.full(SHAPE, 9.0), fresh()
    getattr(initialization, name)(theirs)
    assert getattr(init, name)(ours) is ours
    values = ours.asnumpy()
    assert abs(values.mean()) < 1e-3
    np.testing.assert_allclose(values.std(), theirs.numpy().std(), rtol=0.02)
    np.testing.assert_allclose(np.abs(values).max(), theirs.abs().max().item(), rtol=0.25)


@pytest.mark.parametrize("module", [nn.Dense(300, 400), nn.Conv2d(30, 400, 3, has_bias=True)])
def test_layers_start_anew_as_torch_starts_them(module: nn.Cell) -> None:
    init.zeros_(module.weight)
    init.ones_(module.bias)
    init.reset_parameters(module)
    bound = 1.0 / np.sqrt(np.prod(module.weight.shape[1:]))
    for parameter in (module.weight, module.bias):
        values = parameter.asnumpy()
        assert np.abs(values).max() <= bound
        assert values.std() == pytest.approx(bound / np.sqrt(3.0), rel=0.1)


def test_a_layer_that_starts_otherwise_is_refused() -> None:
    with pytest.raises(TypeError, match="Embedding does not say"):
        init.reset_parameters(nn.Embedding(4, 3))
