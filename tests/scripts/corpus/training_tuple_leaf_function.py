import torch


def init():
    w = torch.tensor([0.5, -1.0], requires_grad=True)
    b = torch.tensor(0.1, requires_grad=True)
    return w, b


def loss_of(params, x, y):
    w, b = params
    return ((x @ w + b - y) ** 2).mean()


params = init()
x = torch.sin(torch.arange(8.0)).view(4, 2)
y = torch.ones(4)
for _ in range(4):
    loss = loss_of(params, x, y)
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= 0.1 * p.grad
            p.grad = None
w = params[0].detach().clone()
