"""Setting a parameter from outside is what torch does with it: used, named, trained."""

# mypy: allow-subclassing-any

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import nn, ops

from porter.runtime.parameters import named_in_torch, set_bias, set_shift


class Outer(nn.Cell):
    """Hold a Dense that gets its bias after it was made."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Dense(3, 4, has_bias=False)
        set_bias(self.inner, ops.arange(4).astype(ms.float32))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.inner(x)


def test_a_bias_set_later_is_added_and_named_after_the_weight() -> None:
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    cell = nn.SequentialCell(Outer())
    cell.set_train(False)
    names = sorted(parameter.name for parameter in cell.get_parameters())
    assert names == ["0.inner.bias", "0.inner.weight"]
    x = np.random.default_rng(0).standard_normal((2, 3)).astype(np.float32)
    weight = torch.from_numpy(cell[0].inner.weight.asnumpy())
    expected = torch.nn.functional.linear(torch.from_numpy(x), weight, torch.arange(4.0))
    torch.testing.assert_close(torch.from_numpy(cell(ms.Tensor(x)).asnumpy()), expected)


def test_a_parameter_is_found_by_the_name_it_has_in_torch() -> None:
    dense, table, norm = nn.Dense(3, 4), nn.Embedding(5, 3), nn.LayerNorm((3,))
    counted = nn.BatchNorm1d(3)
    assert named_in_torch(dense, "weight") is dense.weight
    assert named_in_torch(table, "weight") is table.embedding_table
    assert named_in_torch(norm, "weight") is norm.gamma
    assert named_in_torch(norm, "bias") is norm.beta
    assert named_in_torch(counted, "running_mean") is counted.moving_mean
    assert named_in_torch(nn.Dense(3, 4, has_bias=False), "bias") is None
    with pytest.raises(AttributeError):
        named_in_torch(table, "bias")


@pytest.mark.parametrize("kept", [True, False])
def test_the_bias_of_a_normalization_is_set_or_taken_away(kept: bool) -> None:
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    cell = nn.LayerNorm((3,), epsilon=1e-5)
    theirs = torch.nn.LayerNorm(3, bias=kept)
    if kept:
        torch.nn.init.constant_(theirs.bias, 2.0)
    set_shift(cell, ops.ones((3,)) * 2 if kept else None)
    assert len(list(cell.get_parameters())) == len(list(theirs.parameters()))
    x = np.random.default_rng(0).standard_normal((2, 3)).astype(np.float32)
    torch.testing.assert_close(
        torch.from_numpy(cell(ms.Tensor(x)).asnumpy()), theirs(torch.from_numpy(x))
    )
