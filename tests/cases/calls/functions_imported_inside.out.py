"""Imports inside functions and conditions."""
from mindspore import nn, ops

try:
    import torch
except ImportError:
    torch = None


def inside(x):
    import torch.nn.functional as F

    return ops.relu(x)


if True:
    pass

    class Model(nn.Cell):
        def construct(self, x):
            return ops.relu(x)
