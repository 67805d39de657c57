import torch

x = torch.tensor([1.0, 2.0])
y = x
y += 1
x *= torch.tensor([2.0, 3.0])
z = torch.tensor([7, 8])
z //= 2
w = torch.tensor([1.0])
w -= torch.tensor([0.5], dtype=torch.float64)
