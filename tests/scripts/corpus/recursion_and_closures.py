import torch


def power(x, n):
    return torch.ones_like(x) if n == 0 else x * power(x, n - 1)


def adder(amount):
    def inner(x):
        return x + amount

    return inner


a = power(torch.tensor([2.0, 3.0]), 3)
b = adder(torch.tensor(5.0))(torch.ones(2))
