"""Fill parameters in place with patterns that NumPy makes, as torch.nn.init does.

For use outside the graph, and apart from what every model starts with, which needs no NumPy.
"""

from __future__ import annotations

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor
from mindspore.common import initializer as init

from .initialization import copy_


def eye_(tensor: Parameter) -> Parameter:
    """Fill a matrix with the identity."""
    return copy_(tensor, ms.ops.eye(tensor.shape[0], tensor.shape[1], ms.float32))


def dirac_(tensor: Parameter, groups: int = 1) -> Parameter:
    """Fill the weight of a convolution so that it hands its channels on, as far as there are."""
    values = np.zeros(tensor.shape, np.float32)
    size = tensor.shape[0] // groups
    middle = tuple(length // 2 for length in tensor.shape[2:])
    for group in range(groups):
        for channel in range(min(size, tensor.shape[1])):
            values[(group * size + channel, channel, *middle)] = 1
    return copy_(tensor, Tensor(values))


def orthogonal_(tensor: Parameter, gain: float = 1) -> Parameter:
    """Fill with rows, or columns where they are fewer, that are orthogonal and of one length."""
    rows = tensor.shape[0]
    columns = int(np.prod(tensor.shape[1:]))
    drawn = init.initializer(init.Normal(1.0), (rows, columns), ms.float32).init_data().asnumpy()
    tall = drawn.T if rows < columns else drawn
    factor, triangle = np.linalg.qr(tall)
    factor = factor * np.sign(np.diag(triangle))
    values = factor.T if rows < columns else factor
    return copy_(tensor, Tensor((gain * values).reshape(tensor.shape).astype(np.float32)))


def sparse_(tensor: Parameter, sparsity: float, std: float = 0.01) -> Parameter:
    """Fill a matrix normally, with a share of zeros in each column."""
    rows, columns = tensor.shape
    drawn = init.initializer(init.Normal(std), (rows, columns), ms.float32).init_data().asnumpy()
    order = init.initializer(init.Normal(1.0), (rows, columns), ms.float32).init_data().asnumpy()
    values = drawn.copy()
    dropped = np.argsort(order, 0)[: math.ceil(sparsity * rows)]
    np.put_along_axis(values, dropped, 0, 0)
    return copy_(tensor, Tensor(values))
