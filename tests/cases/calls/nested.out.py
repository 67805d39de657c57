"""Calls inside calls."""

import mindspore as ms
from mindspore import mint, ops

from .runtime.elementwise import gelu


def inner_most(x: ms.Tensor, y: ms.Tensor):
    return ops.cat([ops.relu(x), y.swapaxes(0, 1)], axis=-1)


def method_on_call(x: ms.Tensor):
    return gelu(x).view((1, -1))


def method_on_method(x: ms.Tensor):
    return x.swapaxes(1, 2).contiguous().view((x.shape[0], -1)).unsqueeze(1)


def call_on_method(x: ms.Tensor):
    return mint.sum(ops.matmul(x.permute((0, 2, 1)), ops.softmax(x, axis=-1)), dim=1)


def in_index(x: ms.Tensor):
    return x[ops.arange(x.shape[0]), :, x.shape[1] - 1 :]


def in_keyword(x: ms.Tensor, y: ms.Tensor):
    return ops.dropout(x + y, p=0.1, training=True)


def same_twice(x: ms.Tensor):
    return (x * x) * (x * x)
