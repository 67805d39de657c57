"""A module of the standard library that the source and a rewritten call both need."""


import logging
import mindspore as ms
from mindspore import nn, ops

plain = logging.getLogger("plain")
logger = logging.getLogger(__name__)


class Model(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(x)
