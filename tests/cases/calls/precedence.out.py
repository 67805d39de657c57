"""Places where a written expression needs parentheses, and places where it needs none."""

import mindspore as ms
from mindspore import ops


def product_of_sum(a: ms.Tensor, b: ms.Tensor):
    return (a + b) * 2


def method_of_sum(a: ms.Tensor, b: ms.Tensor):
    return (a + b).view((2, -1))


def minus(x: ms.Tensor):
    return -x.swapaxes(0, 1)


def power(x: ms.Tensor):
    return x.shape[0] ** 2, 2 ** x.shape[-1], -x.shape[1] ** 2


def compared(x: ms.Tensor):
    return x.shape[0] == 3 and not x.ndim > 2 or x.numel() < 5


def conditional(x: ms.Tensor, y: ms.Tensor, flag: bool):
    return (x if flag else y) + y, (x if flag else y).swapaxes(0, 1)


def negated(x: ms.Tensor):
    return (-x).swapaxes(0, 1), (not x.ndim), ops.neg(-x)


def multiplied(x: ms.Tensor, y: ms.Tensor):
    return (x + y) * (x - y), x - (y - x), ops.div(x, y * x)


def indexed(x: ms.Tensor, y: ms.Tensor):
    return (x + y)[0], (x + y)[:, ops.relu(x + y).shape[1]]


def attribute_of_call(x: ms.Tensor, y: ms.Tensor):
    return (x + y).shape[0], (x + y).T


def lambda_argument(x: ms.Tensor):
    return sorted([x], key=lambda t: t.shape[0])


def boolean(x: ms.Tensor, y: ms.Tensor):
    return (x or y).view((3,)), ops.relu(x or y)


def awaited_and_starred(x: ms.Tensor, sizes: tuple[int, ...]):
    return x.view((*sizes, -1)), print(*x.shape, x.shape[0])
