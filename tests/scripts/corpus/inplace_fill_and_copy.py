import torch

x = torch.zeros(2, 2)
x.fill_(2)
y = torch.empty(2, 2)
y.copy_(x)
y.mul_(3)
z = torch.zeros(3)
z[1].fill_(4)
w = torch.ones(2, 2)
w.masked_fill_(torch.eye(2, dtype=torch.bool), 7.0)
