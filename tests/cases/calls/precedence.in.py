"""Places where a written expression needs parentheses, and places where it needs none."""

import torch


def product_of_sum(a: torch.Tensor, b: torch.Tensor):
    return torch.add(a, b) * 2


def method_of_sum(a: torch.Tensor, b: torch.Tensor):
    return (a + b).view(2, -1)


def minus(x: torch.Tensor):
    return -x.transpose(0, 1)


def power(x: torch.Tensor):
    return x.size(0) ** 2, 2 ** x.size(-1), -x.size(1) ** 2


def compared(x: torch.Tensor):
    return x.size(0) == 3 and not x.dim() > 2 or x.numel() < 5


def conditional(x: torch.Tensor, y: torch.Tensor, flag: bool):
    return torch.add(x if flag else y, y), (x if flag else y).transpose(0, 1)


def negated(x: torch.Tensor):
    return (-x).transpose(0, 1), (not x.dim()), torch.neg(-x)


def multiplied(x: torch.Tensor, y: torch.Tensor):
    return torch.mul(x + y, x - y), torch.sub(x, y - x), torch.div(x, y * x)


def indexed(x: torch.Tensor, y: torch.Tensor):
    return torch.add(x, y)[0], (x + y)[:, torch.relu(x + y).size(1)]


def attribute_of_call(x: torch.Tensor, y: torch.Tensor):
    return torch.add(x, y).shape[0], (x + y).T


def lambda_argument(x: torch.Tensor):
    return sorted([x], key=lambda t: t.size(0))


def boolean(x: torch.Tensor, y: torch.Tensor):
    return (x or y).view(3), torch.relu(x or y)


def awaited_and_starred(x: torch.Tensor, sizes: tuple[int, ...]):
    return x.view(*sizes, -1), print(*x.size(), x.size()[0])
