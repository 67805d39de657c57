# class: Wanted
"""Quoted and plain annotations of what the port does not hold."""

from typing import Literal, Optional

import mindspore as ms
from mindspore import nn, ops


class Wanted(nn.Cell):
    mode: Literal["Other", "torch"] = "torch"
    other = None

    def construct(
        self,
        x: "ms.Tensor",
        other=None,  # never there
        both=None,
        text: "not an annotation" = 1,
        deep: "dict[str, ms.Tensor | None]" = None,
    ) -> "Optional[ms.Tensor]":
        return ops.relu(x)
