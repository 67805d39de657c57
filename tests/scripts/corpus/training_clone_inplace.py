import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.clone()
y += 1
z = (y * y).sum()
z.backward()
g = x.grad
