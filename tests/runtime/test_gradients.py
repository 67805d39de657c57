"""Compare what is kept of gradients at parameters with what torch keeps."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import nn
from mindspore.experimental import optim

from porter.runtime import gradients as kept
from porter.runtime.inplace import update
from porter.runtime.parameters import copied_weights, parameters_of, set_weights

VALUES = [np.array([[3.0, -4.0], [0.5, 2.0]], np.float32), np.array([1.0, -12.0], np.float32)]


def both() -> tuple[list[torch.nn.Parameter], list[ms.Parameter]]:
    """Return parameters of ones in both frameworks, with gradients."""
    theirs = [torch.nn.Parameter(torch.ones(value.shape)) for value in VALUES]
    ours = [ms.Parameter(ms.Tensor(np.ones_like(v)), name=f"p{i}") for i, v in enumerate(VALUES)]
    for parameter, value in zip(theirs, VALUES, strict=True):
        parameter.grad = torch.from_numpy(value.copy())
    kept.accumulate(ours, [ms.Tensor(value) for value in VALUES])
    return theirs, ours


@pytest.mark.parametrize("norm_type", [2.0, 1.0, 3.0, float("inf")])
@pytest.mark.parametrize("limit", [1.0, 100.0])
def test_norms_are_clipped_as_in_torch(norm_type: float, limit: float) -> None:
    theirs, ours = both()
    expected = torch.nn.utils.clip_grad_norm_(theirs, limit, norm_type)
    actual = kept.clip_grad_norm(iter(ours), limit, norm_type)
    np.testing.assert_allclose(actual.asnumpy(), expected.numpy(), rtol=1e-6)
    for parameter, other in zip(theirs, ours, strict=True):
        assert parameter.grad is not None
        np.testing.assert_allclose(
            kept.gradient(other).asnumpy(), parameter.grad.numpy(), rtol=1e-5
        )


def test_values_are_clipped_as_in_torch() -> None:
    theirs, ours = both()
    torch.nn.utils.clip_grad_value_(theirs, 1.5)
    kept.clip_grad_value(ours, 1.5)
    for parameter, other in zip(theirs, ours, strict=True):
        assert parameter.grad is not None
        np.testing.assert_array_equal(kept.gradient(other).asnumpy(), parameter.grad.numpy())


def test_gradients_are_summed_and_forgotten() -> None:
    _, ours = both()
    kept.accumulate(ours, [ms.Tensor(value) for value in VALUES])
    np.testing.assert_array_equal(kept.gradient(ours[1]).asnumpy(), 2 * VALUES[1])
    kept.zero_grad(ours, set_to_none=False)
    assert not kept.gradient(ours[1]).asnumpy().any()
    kept.zero_grad(ours)
    assert kept.gradient(ours[1]) is None


OPTIMIZERS = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.1},
    "AdamW": {"lr": 0.1, "weight_decay": 0.1},
    "RMSprop": {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.1},
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_parameter_without_a_gradient_stays_as_it_is(name: str) -> None:
    theirs, ours = both()
    settings: dict[str, Any] = OPTIMIZERS[name]
    reference = getattr(torch.optim, name)(theirs, **settings)
    ported = getattr(optim, name)(ours, **settings)
    theirs[0].grad, ours[0].grad = None, None
    for _ in range(3):
        reference.step()
        kept.step(ported)
    np.testing.assert_array_equal(ours[0].asnumpy(), theirs[0].detach().numpy())
    np.testing.assert_allclose(ours[1].asnumpy(), theirs[1].detach().numpy(), rtol=1e-5)
    assert not np.array_equal(ours[1].asnumpy(), np.ones(2))


@pytest.mark.parametrize("name", ["ASGD", "RAdam", "SGD", "AdamW"])
def test_an_optimizer_goes_on_from_weights_that_were_updated(name: str) -> None:
    theirs, ours = both()
    reference = getattr(torch.optim, name)(theirs, lr=0.1)
    ported = getattr(optim, name)(ours, lr=0.1)
    for _ in range(3):
        reference.step()
        kept.step(ported)
        with torch.no_grad():
            theirs[0].mul_(0.5)
        update(ours[0], ours[0] * 0.5)
    np.testing.assert_allclose(ours[0].asnumpy(), theirs[0].detach().numpy(), rtol=1e-5)


def test_buffers_of_torch_are_no_parameters() -> None:
    cell = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
    assert len(list(parameters_of(cell))) == 4
    before = copied_weights(cell)
    assert len(before) == 6
    weight = cell[0].weight.asnumpy()
    update(cell[0].weight, cell[0].weight + 1)
    set_weights(cell, before)
    np.testing.assert_array_equal(cell[0].weight.asnumpy(), weight)


def test_parameters_of_several_cells_get_names_apart() -> None:
    cells = [nn.Dense(2, 2), nn.Dense(2, 2)]
    groups = [{"params": cell.trainable_params()} for cell in cells]
    named = kept.named_apart(groups)
    names = [parameter.name for group in named for parameter in group["params"]]
    assert names == ["weight", "bias", "weight_2", "bias_2"]
    optim.SGD(named, lr=0.1)
