import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
a = y.sum()
b = (y * 3).sum()
a.backward(retain_graph=True)
first = x.grad.clone()
b.backward()
both = x.grad
