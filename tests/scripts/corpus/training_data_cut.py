import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * 3
z = (y.data * w).sum() + (w.data ** 2 * w).sum()
z.backward()
g = w.grad
