import torch

xs = [torch.tensor([-1.0, 2.0]), torch.tensor([0.5, -0.25])]
act = torch.tanh
rectified = list(map(torch.relu, xs))
squashed = [act(x) for x in xs]


def apply(function, x):
    return function(x) + 1


result = apply(torch.sigmoid, xs[0])
table = {"exp": torch.exp, "sin": torch.sin}
chosen = table["exp"](xs[1])
