import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 3).sum()
grads = torch.autograd.grad(y, x)
g = grads[0]
u = torch.tensor(3.0, requires_grad=True)
v = torch.tensor(4.0, requires_grad=True)
f = u ** 2 * v
du, dv = torch.autograd.grad(f, (u, v))
