import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = torch.zeros(3)
out[0] = w[0] * 2
out[1:] = w[1:] ** 2
loss = out.sum()
loss.backward()
g = w.grad
