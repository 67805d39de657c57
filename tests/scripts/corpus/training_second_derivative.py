import torch

x = torch.tensor(2.0, requires_grad=True)
y = x ** 4
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
d1 = first.item()
d2 = second.item()
