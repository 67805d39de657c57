"""Imports inside functions and conditions."""

from mindspore import nn, ops


def inside(x):

    return ops.relu(x)


if True:

    class Model(nn.Cell):
        def construct(self, x):
            return ops.relu(x)
