"""Setting a parameter from outside is what torch does with it: used, named, trained."""

# mypy: allow-subclassing-any

from __future__ import annotations

import mindspore as ms
import numpy as np
import torch
from mindspore import nn, ops

from porter.runtime.parameters import set_bias


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
