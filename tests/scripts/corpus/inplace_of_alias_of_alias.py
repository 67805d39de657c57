import torch
x = torch.tensor([1.0, 2.0])
y = x
z = y
z.add_(1)
x.mul_(2)
first, second = x, y
second.sub_(1)
