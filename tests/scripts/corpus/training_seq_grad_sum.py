import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(3):
    y = (x * i).sum()
    y.backward()
total = x.grad
