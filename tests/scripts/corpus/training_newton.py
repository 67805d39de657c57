import torch


def f(x):
    return x ** 4 - 3 * x ** 3 + 2


x = torch.tensor(3.5, requires_grad=True)
for _ in range(6):
    y = f(x)
    g = torch.autograd.grad(y, x, create_graph=True)[0]
    h = torch.autograd.grad(g, x)[0]
    with torch.no_grad():
        x -= g / h
root = x.item()
