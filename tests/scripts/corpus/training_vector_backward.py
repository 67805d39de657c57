import torch

x = torch.ones(3, requires_grad=True)
y = x * 2
v = torch.tensor([0.1, 1.0, 0.001])
y.backward(v)
g = x.grad
a = torch.arange(4.0, requires_grad=True)
b = a * a
b.backward(gradient=torch.ones_like(b))
h = a.grad
