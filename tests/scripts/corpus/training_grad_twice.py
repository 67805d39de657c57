import torch

x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
y.backward()
first = x.grad.clone()
z = 2 * x
z.backward()
second = x.grad.clone()
x.grad.zero_()
w = torch.sin(x)
w.backward()
third = x.grad
