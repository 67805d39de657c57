"""Convert tensors to what is known when the port runs: a dtype, another tensor, a device, None."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import pytest

from porter.runtime.creation import converted


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (None, ms.float32),
        ("cpu", ms.float32),
        (ms.float16, ms.float16),
        (ms.Tensor(np.ones(2, np.int64)), ms.int64),
    ],
)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_tensor_gets_the_dtype_that_is_meant(target: Any, expected: Any, mode: int) -> None:
    class Net(ms.nn.Cell):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.target = target

        def construct(self, x: ms.Tensor) -> ms.Tensor:
            return converted(x, self.target)

    ms.set_context(mode=mode)
    try:
        assert Net()(ms.Tensor(np.ones((2, 3), np.float32))).dtype == expected
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
