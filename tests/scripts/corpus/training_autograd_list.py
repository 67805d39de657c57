import torch

w = torch.tensor([[0.5], [-0.5]], requires_grad=True)
b = torch.zeros(1, requires_grad=True)
x = torch.sin(torch.arange(8.0)).view(4, 2)
y = torch.ones(4, 1)
for _ in range(3):
    loss = ((x @ w + b - y) ** 2).mean()
    gw, gb = torch.autograd.grad(loss, [w, b])
    with torch.no_grad():
        w -= 0.1 * gw
        b -= 0.1 * gb
