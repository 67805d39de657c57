import torch
x = torch.tensor([1, 2, 3])
x = x * 1.0
x = x / x.sum()
y = x
x = x + 1
y.mul_(2)
