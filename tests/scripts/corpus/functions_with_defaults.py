import torch


def scaled(x, factor=2.0, *, shift=0):
    return x * factor + shift


def pair(x):
    return x.min(), x.max()


a = scaled(torch.ones(2))
b = scaled(torch.ones(2), 3.0, shift=1)
low, high = pair(torch.tensor([3.0, 1.0]))
c = (lambda t: t + 1)(torch.zeros(2))
