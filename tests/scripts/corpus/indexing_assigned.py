import torch

x = torch.zeros(3, 4)
x[0] = 1
x[:, 1] = torch.tensor([5.0, 6.0, 7.0])
x[2, 3] = -1.5
x[x == 0] = 9
y = torch.arange(6)
y[1:3] = 0
y[-1] = y[0] + 10
