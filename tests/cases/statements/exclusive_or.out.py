"""Truth values that exclude each other."""

import mindspore as ms
from mindspore import nn

from .runtime.generation import GenerationMixin


class Model(nn.Cell, GenerationMixin):
    def construct(self, ids: ms.Tensor | None = None, embeds: ms.Tensor | None = None):
        if (ids is None) != (embeds is not None):
            raise ValueError("one of both")
        if not ((ids is None or embeds is None) != True):
            return ids
        return ids ^ 3
