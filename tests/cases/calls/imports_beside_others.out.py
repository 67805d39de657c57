"""Imports that share a line, a block or a statement with something else."""
import mindspore as ms
from mindspore import nn, ops
import os; pass
PLACE = os
try:
    import json
except ImportError:
    pass
import string
from .helpers import (
    helper,
    # a comment
    other,
)

if PLACE:
    pass


class Model(nn.Cell):
    def construct(self, x):

        if isinstance(x, ms.Tensor): return ops.relu(x)
        return helper(other(ops.relu(ops.cat([x, x], axis=0)))) + string.X + json.Y
